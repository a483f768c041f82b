//! Checks that the gradients of a launch can be determined.

use super::kernels::{Kernels, is_addressed, params};
use crate::directive::Launch;
use crate::error::LaunchError;
use crate::gradient::{Gradient, MAX_ELEMENTS, Operand, spacing};
use crate::shape::bracketed;
use crate::spec::Spec;
use tile_analysis::suggest;
use tile_dialect::Element;

/// Errors in the gradients of a launch, at most one for each. A parameter without an argument is reported elsewhere.
pub(super) fn mistakes(kernels: Kernels<'_>, launch: &Launch) -> Vec<LaunchError> {
    let is_missing = |operand: &Operand| launch.arg(&operand.name).is_none() && kernels.has_param(&operand.name);
    let gradients = launch.expects.iter().filter_map(|expect| expect.gradient()).map(|check| &check.gradient);
    let complete = gradients.filter(|gradient| !gradient.operands().any(is_missing));
    complete.filter_map(|gradient| check_gradient(gradient, kernels, launch).err()).collect()
}

fn check_gradient(gradient: &Gradient, kernels: Kernels<'_>, launch: &Launch) -> Result<(), LaunchError> {
    let Gradient { of, by, weights, .. } = gradient;
    let of_shape = float_buffer(of, launch)?;
    let by_shape = float_buffer(by, launch)?;
    if of.name == by.name {
        let error = LaunchError::new(by.range.clone(), format!("`%{}` cannot be differentiated by itself", of.name));
        return Err(error.help("the second buffer is an input of the forward kernel"));
    }
    [of, by].into_iter().try_for_each(|operand| check_access(operand, kernels, launch))?;
    match weights {
        Some(weights) => check_weights(weights, &buffer(weights, launch)?.1, of, &of_shape)?,
        None => check_single(of, &of_shape, by)?,
    }
    check_size(by, &by_shape)
}

/// The element type and the shape of an operand, which must be a buffer. Replicas are the outermost dimension.
fn buffer(operand: &Operand, launch: &Launch) -> Result<(Element, Vec<u64>), LaunchError> {
    let Operand { name, range } = operand;
    let fail = |message: String, help: String| Err(LaunchError::new(range.clone(), message).help(help));
    match launch.arg(name).map(|arg| &arg.spec) {
        Some(Spec::Buffer { element, shape, replicas, .. }) => {
            Ok((*element, replicas.iter().chain(shape).copied().collect()))
        }
        Some(Spec::Scalar(_)) => {
            fail(format!("`%{name}` is a number, not a buffer"), "the operands of `grad` are buffers".to_string())
        }
        Some(Spec::Address(address)) => {
            let help = format!("name the buffer, `%{}`", address.of);
            fail(format!("`%{name}` is the address `{address}`, not a buffer"), help)
        }
        None => {
            let names = launch.args.iter().map(|arg| arg.name.as_str());
            let help = match suggest::closest(name, names) {
                Some(close) => format!("did you mean `%{close}`?"),
                None => format!("add a line such as `//@   %{name} = f32[1] zeros`"),
            };
            fail(format!("this launch has no argument `%{name}`"), help)
        }
    }
}

/// The shape of an operand, which must be a buffer of floats.
fn float_buffer(operand: &Operand, launch: &Launch) -> Result<Vec<u64>, LaunchError> {
    let (element, shape) = buffer(operand, launch)?;
    if spacing(element).is_some() {
        return Ok(shape);
    }
    let why = if element.is_int() { "an integer type" } else { "too coarse for finite differences" };
    let message = format!("the element type of `%{}` is `{element}`, {why}", operand.name);
    Err(LaunchError::new(operand.range.clone(), message).help("`grad` supports `f64`, `f32`, `tf32`, `f16` and `bf16`"))
}

/// Checks that the forward kernel can access a buffer.
fn check_access(operand: &Operand, kernels: Kernels<'_>, launch: &Launch) -> Result<(), LaunchError> {
    let Some(forward) = kernels.differentiated() else { return Ok(()) };
    let name = &operand.name;
    let is_param = params(forward).any(|(param, _)| param == name);
    if is_param || launch.arg(name).is_some_and(|arg| is_addressed(arg, launch)) {
        return Ok(());
    }
    let message = format!("the forward kernel `@{}` has no parameter `%{name}`", forward.name);
    let help = match launch.forward {
        Some(_) => "`grad` differentiates the entry that `forward` names",
        None => "if another entry computes it, name that: `//@ forward @name grid=(1, 1, 1)`",
    };
    Err(LaunchError::new(operand.range.clone(), message).help(help))
}

/// Checks that there is a weight for each element of the differentiated buffer.
fn check_weights(weights: &Operand, shape: &[u64], of: &Operand, of_shape: &[u64]) -> Result<(), LaunchError> {
    if shape == of_shape {
        return Ok(());
    }
    let (shape, of_shape) = (bracketed(shape), bracketed(of_shape));
    let message = format!("`%{}` has shape {shape}, but `%{}` has shape {of_shape}", weights.name, of.name);
    let help = format!("the third operand of `grad` has one weight for each element of `%{}`", of.name);
    Err(LaunchError::new(weights.range.clone(), message).help(help))
}

/// Checks that a buffer that is differentiated without weights has one element.
fn check_single(of: &Operand, shape: &[u64], by: &Operand) -> Result<(), LaunchError> {
    if count(shape) == Some(1) {
        return Ok(());
    }
    let message = format!("`%{}` has shape {}, but only one element can be differentiated", of.name, bracketed(shape));
    let (of_name, by_name) = (&of.name, &by.name);
    let help =
        format!("weight the elements: `grad(%{of_name}, %{by_name}, %dy)` is the gradient of `sum(%{of_name} * %dy)`");
    Err(LaunchError::new(of.range.clone(), message).help(help))
}

/// Checks that there are not too many elements to differentiate by.
fn check_size(by: &Operand, shape: &[u64]) -> Result<(), LaunchError> {
    if count(shape).is_some_and(|count| count <= MAX_ELEMENTS) {
        return Ok(());
    }
    let (name, shape) = (&by.name, bracketed(shape));
    let message = format!("`%{name}` has shape {shape}, but a gradient can have at most {MAX_ELEMENTS} elements");
    let help = "each element takes several runs of the forward kernel; check the gradient in a smaller launch";
    Err(LaunchError::new(by.range.clone(), message).help(help))
}

/// The number of elements of a shape; `None` if it exceeds 64 bits.
fn count(shape: &[u64]) -> Option<u64> {
    shape.iter().try_fold(1u64, |count, extent| count.checked_mul(*extent))
}
