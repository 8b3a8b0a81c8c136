/** A file as a QR code, which the apps read as it is: no scheme, byte mode. As an image of bytes (PNG) and of lines (SVG). */
import encodeQR from 'qr'
import { deflateSync, crc32 } from 'node:zlib'

/** Version 40 with the least correction takes no more (ISO/IEC 18004, table 7). */
export const MAX_QR_BYTES = 2953

/** Four modules of nothing around it, without which readers do not find it (ISO/IEC 18004 §6.3.8). */
const BORDER = 4

/** True is dark. Null for a text that is too long. */
export function qrOf(text: string): readonly (readonly boolean[])[] | null {
  for (const ecc of ['medium', 'low'] as const)
    try {
      return encodeQR(text, 'raw', { ecc, encoding: 'byte', border: BORDER })
    } catch {
      // It does not fit with that much correction.
    }
  return null
}

const PIXELS = 6

/** One bit a pixel, black and white (PNG, W3C REC-png-3). */
export function pngOf(modules: readonly (readonly boolean[])[]): Buffer {
  const side = modules.length * PIXELS
  const row_bytes = 1 + Math.ceil(side / 8)
  const bytes = Buffer.alloc(row_bytes * side)
  for (const [y, row] of modules.entries()) {
    const line = lineOf(row, row_bytes)
    for (let at = 0; at < PIXELS; at++) line.copy(bytes, (y * PIXELS + at) * row_bytes)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // One bit a sample; grey, deflate, the usual filters, not interlaced are all 0.
  header[8] = 1
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(bytes)), chunk('IEND')])
}

/** A row of pixels behind the byte that says it is not filtered. White is 1. */
function lineOf(row: readonly boolean[], size: number): Buffer {
  const line = Buffer.alloc(size)
  for (let x = 0; x < row.length * PIXELS; x++)
    if (!row[Math.floor(x / PIXELS)]!) line[1 + (x >> 3)]! |= 0x80 >> (x & 7)
  return line
}

function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

export function svgOf(modules: readonly (readonly boolean[])[]): string {
  const side = modules.length
  const path = modules.flatMap((row, y) =>
    runsIn(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`),
  )
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path.join('')}"/></svg>\n`
  )
}

/** Where dark ones begin, and how many follow. */
function runsIn(row: readonly boolean[]): readonly (readonly [x: number, length: number])[] {
  const runs: [number, number][] = []
  for (const [x, is_dark] of row.entries()) {
    const last = runs.at(-1)
    if (!is_dark) continue
    if (last !== undefined && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  }
  return runs
}

/** For a terminal: half blocks, two rows of modules a line, light on dark or dark on light alike. Null for a text that is too long. */
export function qrLines(text: string): readonly string[] | null {
  const modules = qrOf(text)
  if (modules === null) return null
  const lines: string[] = []
  for (let y = 0; y < modules.length; y += 2) {
    const [above, below = []] = [modules[y]!, modules[y + 1]]
    // A block is light: most terminals are dark, and readers want the border light.
    lines.push(above.map((is_dark, x) => BLOCKS[(is_dark ? 0 : 2) + (below[x] === true ? 0 : 1)]).join(''))
  }
  return lines
}

const BLOCKS = [' ', '▄', '▀', '█']
