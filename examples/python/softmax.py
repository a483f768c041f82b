"""Tests softmax.tile against PyTorch, on matrices of random sizes."""

import random
from pathlib import Path

import tile_ir

try:
    import torch
except ImportError:
    raise SystemExit("this example needs PyTorch: pip install torch") from None

kernel = tile_ir.load(Path(__file__).parents[1] / "softmax.tile")["softmax"]
random.seed(1)
torch.manual_seed(1)
for _ in range(10):
    m, n = random.randint(1, 100), random.randint(1, 64)
    x, y = 10 * torch.randn(m, n), torch.empty(m, n)
    kernel[-(-m // 8)](x, y, m, n, sanitize=True)
    torch.testing.assert_close(y, torch.softmax(x, dim=1))
    print(f"{m}x{n}: as expected")
