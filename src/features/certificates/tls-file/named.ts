/** Which certificates the proxy's file names beside those that it is to name, for people. Pure. */
import { basename, dirname } from 'node:path'

/** In either spelling: with quotes, as it is written, or without, as a hand writes it. Within one line, so that it is linear. */
const CERT_FILE = /^[ \t]*(?:-[ \t]+)?certFile:[ \t]*(["']?)([^"'\s#]+)\1/gm

const MAX_NAMED = 3

/** What the file lacks, and what it names and is not to name; both texts as they stand on disk. */
export function namedDetail(there: string, wanted: string): string {
  const [present, expected] = [filesIn(there), filesIn(wanted)]
  const missing = [...expected].filter((path) => !present.has(path))
  const extra = [...present].filter((path) => !expected.has(path))
  const parts = [
    ...(missing.length > 0 ? [`it lacks ${namesOf(missing)}`] : []),
    ...(extra.length > 0 ? [`it names ${namesOf(extra)}, which it is not to name`] : []),
  ]
  const found = parts.length > 0 ? parts.join('; ') : 'other lines of it differ'
  return `it does not name exactly the certificates that are installed: ${found}`
}

const filesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(CERT_FILE)].map(([, , path]) => path!))

const PATH = /^[\w./@*~-]{1,300}\.\w{2,5}$/

/**
 * `/certs/a.example.com/3f2a.pem` is "a.example.com (3f2a.pem)": each version has a file of its own. The proxy also takes the text
 * of a certificate in place of a path: what a hand put there is not shown.
 */
const nameOf = (path: string): string =>
  PATH.test(path) ? `${basename(dirname(path))} (${basename(path)})` : 'an entry that is no path'

function namesOf(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED).map(nameOf)
  const rest = paths.length - shown.length
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}
