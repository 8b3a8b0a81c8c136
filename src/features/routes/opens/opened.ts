/**
 * The routers of open paths that stand in a routes file, whoever wrote it, and a rendering without those that today's
 * settings do not open. The text is cut, never parsed.
 */
import { type Block, scanBlocks } from '../fast/blocks.ts'
import { textOf } from '../target/codec.ts'
import type { RoutesDesired } from '../target/desire.ts'
import { OPEN_ROLES, roleMark } from '../render/names.ts'
import { type MayOpen, openPathsIn, type OpenRouter } from './open-routers.ts'
import { withoutBlocks } from '../fast/without-blocks.ts'

export const HTTP_ROUTERS = 'http.routers.'
const MARKS = OPEN_ROLES.map(roleMark)
/** What every name of theirs begins with. */
const BEGINNING = '"plumbline-open'

/** What a block says of itself; null in another form than ours. */
export function routerIn(item: string, { text }: Block): OpenRouter | null {
  const [rule, second] = [...text.matchAll(/^ {6}rule: (.*)$/gm)].map((found) => found[1]!)
  if (rule === undefined || second !== undefined) return null
  const read = unquoted(rule)
  const tls = /^ {6}tls:$/m.test(text)
  return read === null ? null : { name: item.slice(HTTP_ROUTERS.length), rule: read, tls }
}

/** By domain, the pattern of the paths that its router opens to everybody; what is spelt otherwise is left out. */
export function openedIn(text: string): ReadonlyMap<string, string> {
  const opened = new Map<string, string>()
  if (!text.includes(BEGINNING)) return opened
  const whole = HTTP_ROUTERS + roleMark('open')
  for (const [item, block] of scanBlocks(text)) {
    if (!item.startsWith(whole)) continue
    const router = routerIn(item, block)
    const pattern = router === null ? null : openPathsIn(router.rule)
    if (pattern !== null) opened.set(item.slice(whole.length), pattern)
  }
  return opened
}

/** Items of routers of open paths that today's settings do not open. */
const notToOpen = (blocks: ReadonlyMap<string, Block>, mayOpen: MayOpen): readonly string[] =>
  [...blocks].flatMap(([item, block]) => {
    if (!MARKS.some((mark) => item.startsWith(HTTP_ROUTERS + mark))) return []
    const router = routerIn(item, block)
    return router !== null && mayOpen(router) ? [] : [item]
  })

/**
 * The rendering without the routers whose paths are to be open no more: what was released before the settings changed must
 * not leave a door open until somebody deploys. The generation marker stays: it names the release.
 */
export function withoutClosed(desired: RoutesDesired, mayOpen: MayOpen): RoutesDesired {
  const text = textOf(desired.chunks)
  if (!text.includes(BEGINNING)) return desired
  const blocks = scanBlocks(text)
  const items = new Set(notToOpen(blocks, mayOpen))
  if (items.size === 0) return desired
  const http_routers = desired.http_routers - items.size
  return { ...desired, ...withoutBlocks(text, blocks, (item) => items.has(item)), http_routers }
}

/** A scalar as we write it, without what has no short escape. */
function unquoted(scalar: string): string | null {
  try {
    const read: unknown = JSON.parse(scalar)
    return typeof read === 'string' ? read : null
  } catch {
    return null
  }
}
