/** Draws a QR code's SVG, squares of whole units, into a bitmap of one pixel a unit. @returns RGBA, and the width */
export function renderQrCode(svg: string) {
  const size = Number(/viewBox="0 0 (\d+) \d+"/.exec(svg)?.[1])
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (const [, x1, y1, y2, x2] of svg.matchAll(/M([\d.]+),([\d.]+) V([\d.]+) H([\d.]+)/g))
    for (let y = Number(y1); y < Number(y2); y++)
      for (let x = Number(x1); x < Number(x2); x++) pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3)
  return { pixels, size, dark: (x: number, y: number) => pixels[(y * size + x) * 4] === 0 }
}
