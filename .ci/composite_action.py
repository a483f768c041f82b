"""Runs a composite action of GitHub on this machine, as a runner does: evaluates its expressions, gives its steps the files
for outputs, PATH and the summary, and runs their scripts in bash. Steps that use another action are skipped.
"""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import yaml

TOKEN = re.compile(r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<name>[A-Za-z_][\w.-]*)|(?P<symbol>&&|\|\||==|!=|!|\(|\)))")
TEMPLATE = re.compile(r"\$\{\{(.*?)\}\}")
STATUS = re.compile(r"\b(?:always|cancelled|failure|success)\(\)")


def is_true(value) -> bool:
    return value not in ("", False)


class Expression:
    """The subset of expressions that the action uses: contexts, texts, status functions, `!`, `==`, `!=`, `&&` and `||`."""

    def __init__(self, text: str, contexts: dict, failed: bool):
        self.text, self.contexts, self.failed, self.tokens, at = text.strip(), contexts, failed, [], 0
        while at < len(self.text):
            found = TOKEN.match(self.text, at)
            if not found:
                raise ValueError(f"unsupported expression: {text}")
            self.tokens.append((found.lastgroup, found[found.lastgroup]))
            at = found.end()

    def evaluate(self):
        value = self.either()
        if self.tokens:
            raise ValueError(f"unexpected {self.tokens[0][1]} in the expression: {self.text}")
        return value

    def accept(self, *symbols: str) -> str | None:
        if self.tokens and self.tokens[0][0] == "symbol" and self.tokens[0][1] in symbols:
            return self.tokens.pop(0)[1]
        return None

    def either(self):
        value = self.both()
        while self.accept("||"):
            other = self.both()
            value = value if is_true(value) else other
        return value

    def both(self):
        value = self.equality()
        while self.accept("&&"):
            other = self.equality()
            value = other if is_true(value) else value
        return value

    def equality(self):
        value = self.operand()
        while symbol := self.accept("==", "!="):
            # GitHub ignores the case of texts.
            is_equal = str(value).lower() == str(self.operand()).lower()
            value = is_equal == (symbol == "==")
        return value

    def operand(self):
        if self.accept("!"):
            return not is_true(self.operand())
        if self.accept("("):
            value = self.either()
            self.expect(")")
            return value
        kind, word = self.tokens.pop(0) if self.tokens else ("", "the end")
        if kind == "text":
            return word[1:-1].replace("''", "'")
        if kind != "name":
            raise ValueError(f"expected an operand before {word} in the expression: {self.text}")
        if self.accept("("):
            self.expect(")")
            return {"always": True, "cancelled": False, "failure": self.failed, "success": not self.failed}[word]
        return self.context(word)

    def expect(self, symbol: str) -> None:
        if not self.accept(symbol):
            raise ValueError(f"expected {symbol} in the expression: {self.text}")

    def context(self, path: str):
        value = self.contexts
        for name in path.split("."):
            value = value.get(name, "") if isinstance(value, dict) else ""
        return value


@dataclass
class Run:
    """What a run of an action did."""

    log: str = ""
    summary: str = ""
    # The outcome of each step, by its name.
    outcomes: dict[str, str] = field(default_factory=dict)

    @property
    def succeeded(self) -> bool:
        return "failure" not in self.outcomes.values()

    def annotations(self) -> list[str]:
        return [line for line in self.log.splitlines() if line.startswith("::")]


def settings(text: str) -> dict[str, str]:
    """The lines NAME=VALUE of a file for outputs or the environment."""
    return dict(line.split("=", 1) for line in text.splitlines())


def run(folder: Path, workspace: Path, inputs: dict[str, str], github: dict[str, str], env: dict[str, str]) -> Run:
    """Runs the action in `folder` on `workspace`, with the context `github`. `env` replaces variables of this process."""
    action = yaml.safe_load((folder / "action.yml").read_text())
    unknown = inputs.keys() - action["inputs"].keys()
    if unknown:
        raise ValueError(f"unknown inputs: {', '.join(sorted(unknown))}")
    defaults = {name: value.get("default", "") for name, value in action["inputs"].items()}
    steps: dict[str, dict] = {}
    contexts = {"inputs": defaults | inputs, "steps": steps, "github": github}
    env = os.environ | {"GITHUB_ACTION_PATH": str(folder), "GITHUB_WORKSPACE": str(workspace)} | env
    done = Run()

    def evaluate(text: str):
        return Expression(text, contexts, not done.succeeded).evaluate()

    def filled(text: str) -> str:
        return TEMPLATE.sub(lambda found: str(evaluate(found[1])), text)

    def is_wanted(condition: str) -> bool:
        condition = condition.strip().removeprefix("${{").removesuffix("}}")
        return (done.succeeded or bool(STATUS.search(condition))) and is_true(evaluate(condition))

    for step in action["runs"]["steps"]:
        name = step["name"]
        if "uses" in step or not is_wanted(step.get("if", "success()")):
            done.log += f"skipped: {name}\n"
            done.outcomes[name] = "skipped"
        else:
            done.log += f"== {name}\n"
            own = {name: filled(value) for name, value in step.get("env", {}).items()}
            outputs, outcome = run_step(step["run"], workspace, env, own, done)
            done.outcomes[name] = outcome
            steps[step.get("id", name)] = {"outputs": outputs, "outcome": outcome}
    return done


def run_step(script: str, workspace: Path, env: dict[str, str], own: dict[str, str], done: Run) -> tuple[dict, str]:
    """Runs a script with the variables `env` and `own`. Returns its outputs and its outcome, and changes `env` for later
    steps as it asks.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder, name) for name in ["GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"]}
        for file in files.values():
            file.touch()
        start = Path(folder, "script.sh")
        start.write_text(script)
        ended = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(start)],
            cwd=workspace,
            env=env | {name: str(file) for name, file in files.items()} | own,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        texts = {name: file.read_text() for name, file in files.items()}
    done.log += ended.stdout
    done.summary += texts["GITHUB_STEP_SUMMARY"]
    env.update(settings(texts["GITHUB_ENV"]))
    env["PATH"] = os.pathsep.join([*reversed(texts["GITHUB_PATH"].splitlines()), env["PATH"]])
    return settings(texts["GITHUB_OUTPUT"]), "success" if ended.returncode == 0 else "failure"
