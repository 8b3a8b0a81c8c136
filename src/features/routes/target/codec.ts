/** Keeps a rendering as its own bytes: what was released can be written again even by a version that renders otherwise. */
import type { Codec } from '../../../engine/target.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { scanBlocks } from '../fast/blocks.ts'
import type { RoutesDesired } from './desire.ts'
import { GENERATION_MARK, roleMark } from '../render/names.ts'

export const routesCodec: Codec<RoutesDesired> = {
  freeze: ({ checksum, chunks }) => ({ digest: checksum, chunks }),
  thaw: (chunks) => ({ chunks, checksum: sha256(chunks), ...figures(textOf(chunks)) }),
}

/** The bytes as text, one character per byte; a rendering is ASCII. */
export const textOf = (chunks: readonly Uint8Array[]): string =>
  chunks
    .map((chunk) => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1'))
    .join('')

const SITE = `http.routers.${roleMark('site')}`
const MARKER = `http.middlewares.${GENERATION_MARK}`

/** Counted again from the text, so that nothing beside the bytes has to be kept. */
function figures(
  text: string,
): Pick<RoutesDesired, 'generation' | 'http_routers' | 'tcp_routers' | 'domains'> {
  let generation = ''
  let http_routers = 0
  let tcp_routers = 0
  let sites = 0
  for (const item of scanBlocks(text).keys()) {
    if (item.startsWith('http.routers.')) http_routers++
    if (item.startsWith('tcp.routers.')) tcp_routers++
    if (item.startsWith(SITE)) sites++
    if (item.startsWith(MARKER)) generation = item.slice(MARKER.length)
  }
  return { generation, http_routers, tcp_routers, domains: sites + tcp_routers }
}
