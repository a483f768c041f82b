//! The ops by name, for code that must distinguish them.

macro_rules! mnemonics {
    ($($name:ident)*) => {
        /// The op of a row. The order is that of [`crate::ops`].
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs)]
        #[repr(u8)]
        pub enum Mnemonic { $($name),* }

        /// The number of ops.
        pub const COUNT: usize = [$(Mnemonic::$name),*].len();
    };
}

mnemonics! {
    Absf Absi Addf Addi Alloca Andi Assert Assume Atan2 AtomicCasTko AtomicRedViewTko AtomicRmwTko Bitcast Break
    Broadcast Cat Ceil Cmpf Cmpi Constant Continue Cos Cosh Divf Divi Entry Exp Exp2 Exti Extract Floor Fma For Fpowi
    Ftof Ftoi GdcLaunchDependentsTko GdcWaitTko GetGlobal GetIndexSpaceShape GetNumTileBlocks GetTensorShape
    GetTileBlockId Global If Insert IntToPtr Iota Itof JoinTokens LoadPtrTko LoadViewTko Log Log2 Loop
    MakeGatherScatterView MakePartitionView MakeStridedView MakeTensorView MakeToken Maxf Maxi MemoryFenceAliasTko Minf
    Mini Mmaf MmafScaled Mmai Module Mulf Mulhii Muli
    MultimemLoadReduceViewTko MultimemReduceViewTko MultimemStoreViewTko Negf Negi Offset Ori Pack Permute Pow PrintTko PtrToInt PtrToPtr
    Reduce Remf Remi Reshape Return Rsqrt Scan Select Shli Shri Sin Sinh Sqrt StorePtrTko StoreViewTko Subf Subi Tan
    Tanh Trunci Unpack Xori Yield TestingFunc PreviewCall PreviewFunc PreviewExternImpl
}
