/**
 * The routers of open paths that stand in a routes file, and a rendering without those that today's settings do not open. A
 * file may be anybody's: its text is cut, never parsed.
 */
import { type Block, scanBlocks } from '../read/blocks.ts'
import { nameOfItem } from '../render/objects.ts'
import type { RoutesDesired } from '../target/desire.ts'
import { OPEN_ROLES, roleMark } from '../render/names.ts'
import { type MayOpen, openPathsIn, type OpenRouter } from './open-routers.ts'
import { withoutObjects } from '../fast/without-objects.ts'

export const HTTP_ROUTERS = 'http.routers.'
const MARKS = OPEN_ROLES.map(roleMark)
const WHOLE = roleMark('open')
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

/** Of a file, by domain: the pattern of the paths that its router opens to everybody; what is spelt otherwise is left out. */
export function openedIn(text: string): ReadonlyMap<string, string> {
  const opened = new Map<string, string>()
  if (!text.includes(BEGINNING)) return opened
  const whole = HTTP_ROUTERS + WHOLE
  for (const [item, block] of scanBlocks(text)) {
    if (!item.startsWith(whole)) continue
    const router = routerIn(item, block)
    const pattern = router === null ? null : openPathsIn(router.rule)
    if (pattern !== null) opened.set(item.slice(whole.length), pattern)
  }
  return opened
}

/** The same of a rendering of ours. */
export const openedPathsOf = (desired: RoutesDesired): ReadonlyMap<string, string> =>
  new Map(
    routersOf(desired).flatMap(({ domain, router }) => {
      const pattern = router?.name.startsWith(WHOLE) === true ? openPathsIn(router.rule) : null
      return pattern === null ? [] : [[domain, pattern] as const]
    }),
  )

interface Opening {
  readonly item: string
  readonly domain: string
  /** Null where it is not known what it says. */
  readonly router: OpenRouter | null
}

/** The routers of open paths that a rendering has. */
function routersOf(desired: RoutesDesired): readonly Opening[] {
  if (desired.open_routers === 0) return []
  return [...desired.objects()].flatMap(([item, object]) => {
    const { domain } = object
    if (domain === null || !MARKS.some((mark) => item.startsWith(HTTP_ROUTERS + mark))) return []
    const { value } = object
    const rule = value?.['rule']
    const name = nameOfItem(item)
    const router = typeof rule === 'string' ? { name, rule, tls: value?.['tls'] !== undefined } : null
    return [{ item, domain, router }]
  })
}

/**
 * The rendering without the routers whose paths are to be open no more: what was released before the settings changed must
 * not leave a door open until somebody deploys. The generation marker stays: it names the release.
 */
export function withoutClosed(desired: RoutesDesired, mayOpen: MayOpen): RoutesDesired {
  const closed = routersOf(desired).filter(({ router }) => router === null || !mayOpen(router))
  if (closed.length === 0) return desired
  const items = new Set(closed.map(({ item }) => item))
  return withoutObjects(desired, (item) => items.has(item))
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
