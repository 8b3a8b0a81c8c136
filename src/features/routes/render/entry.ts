/** What of a routes file belongs to one record, and what names a rendering, for whoever compares with the running proxy. */
import type { IntentRow } from '../../../model/intent.ts'
import { renderRoutes } from '../target/desire.ts'
import { routesJson } from './as-json.ts'
import { scanBlocks } from '../fast/blocks.ts'
import { domainOfName, GENERATION_MARK, ROLES, roleMark } from './names.ts'
import type { RoutesSettings } from './settings.ts'
import { textOf } from '../target/codec.ts'

const ROUTER_ROLES = ROLES.filter((role) => role !== 'cors' && role !== 'home')

/** The names that routers of a domain may have. */
export const routerNames = (domain: string): readonly string[] =>
  ROUTER_ROLES.map((role) => roleMark(role) + domain)

/**
 * The domain of an object as the proxy shows it, with a provider or without, and also where an entry point with settings of
 * its own has made a part of a router: `websecure-plumbline-site_app.example.com@file`. Null for what is no domain's.
 */
export function domainOfShown(name: string): string | null {
  const local = name.replace(/@[^@]*$/, '')
  return domainOfName(local.slice(Math.max(0, local.indexOf(OUR_PREFIX))))
}

const OUR_PREFIX = 'plumbline-'

/** A file with this record alone: its routers, its service, the middlewares that it uses. The row must be live. */
export const entryText = (row: IntentRow, settings: RoutesSettings): string => {
  const text = textOf(renderRoutes({ rows: [row] }, settings).chunks)
  // Its marker names a file that is nowhere, and Traefik refuses a file with an empty section.
  return text.replace(MARKER_ENTRY, '').replace(EMPTY_HTTP, '')
}

// The emitter escapes every line feed, so nothing that a record says can begin a line.
const MARKER = new RegExp(`^ {4}"(${GENERATION_MARK}[0-9a-f]{16})":$`, 'm')
const MARKER_ENTRY = new RegExp(`^ {4}"${GENERATION_MARK}[0-9a-f]{16}":\\n(?: {5,}.*\\n)*`, 'm')

/** What a record without a route over HTTP leaves of it. */
const EMPTY_HTTP = /^http:\n {2}middlewares:\n(?! )/m

/** The name of the middleware that stands for a whole rendering; null in what is none of ours. */
export function markerIn(chunks: readonly Uint8Array[]): string | null {
  // The marker is no longer than a line and stands in one chunk.
  for (const chunk of chunks) {
    const found = MARKER.exec(textOf([chunk]))
    if (found !== null) return found[1]!
  }
  return null
}

/** The objects of a rendering as text, by item, but for the one that names the rendering. */
export const objectsIn = (chunks: readonly Uint8Array[]): ReadonlyMap<string, string> =>
  new Map(
    [...scanBlocks(textOf(chunks))].flatMap(([item, { text, placed }]) =>
      placed && !item.startsWith(`http.middlewares.${GENERATION_MARK}`) ? [[item, text] as const] : [],
    ),
  )

/** What the text of one object says. Throws `internal` for a text that our renderer did not make. */
export function contentOf(item: string, text: string): unknown {
  const [root = '', kind = ''] = item.split('.', 2)
  const file = JSON.parse(routesJson([Buffer.from(`${root}:\n  ${kind}:\n${text}`, 'latin1')])) as Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  >
  return file[root]?.[kind]?.[item.slice(root.length + kind.length + 2)]
}
