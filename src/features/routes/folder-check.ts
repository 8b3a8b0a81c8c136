/**
 * The other files beside the routes file. The proxy reads the folder as a whole: of equal names the first file wins, a router of
 * any of them may be asked before ours, and one file that it refuses keeps every change of all of them from it, and at its next
 * restart all their routes (Traefik's file provider). They are told, never touched.
 */
import { turnsByTime } from '../../kernel/async/others-turn.ts'
import type { PartAdvice } from '../../core/finding.ts'
import type { HealthDifference, HealthFinding } from '../../model/health.ts'
import { octal } from '../../model/file-access.ts'
import type { EvaluatedFile, Neighbour, NeighbourList, Neighbours } from './folder/port.ts'
import type { FileRoutes } from './traefik/port.ts'
import type { FolderFile, FolderRivals, UnreadFile } from './proxy/shadow/by-folder.ts'
import type { ProxyFileEvaluator } from '../../ports/proxy-files.ts'
import {
  countsOf,
  drifting,
  FILES_EVERY_MS,
  type HealthCheck,
  healthy,
  type LookedAt,
  named,
  unknown,
} from '../../core/check.ts'
import { OUR_NAMES } from './render/names.ts'

export type RivalsAmong = (
  files: readonly FolderFile[],
  unread: readonly UnreadFile[],
) => Promise<FolderRivals>

export const routesFolderCheck = (
  neighbours: Neighbours,
  proxy: ProxyFileEvaluator<EvaluatedFile>,
  rivalsAmong: RivalsAmong,
): HealthCheck => {
  const evaluationOf = cachedEvaluations(proxy)
  return {
    name: 'routes_folder',
    kind: 'watch',
    configured: true,
    every_ms: FILES_EVERY_MS,
    async look({ signal }) {
      const fault = await neighbours.folderFault()
      if (fault !== null) return inaccessible(neighbours.folder, fault)
      const evaluate: Evaluate = (neighbour, text) => evaluationOf(neighbour, text, signal)
      return evaluateFolder(await neighbours.list(signal), evaluate, rivalsAmong)
    },
    advises: onFolder,
  }
}

/** The list brings the same object for a file that has not changed. */
function cachedEvaluations(proxy: ProxyFileEvaluator<EvaluatedFile>) {
  const evaluations = new WeakMap<
    Neighbour,
    { readonly version: string; readonly evaluation: EvaluatedFile }
  >()
  return async (neighbour: Neighbour, text: string, signal: AbortSignal): Promise<EvaluatedFile> => {
    const version = proxy.version()
    const known = evaluations.get(neighbour)
    if (known?.version === version) return known.evaluation
    const evaluation = await proxy.evaluate({ path: neighbour.file, text }, version, signal)
    evaluations.set(neighbour, { version, evaluation })
    return evaluation
  }
}

const inaccessible = (folder: string, fault: string): LookedAt =>
  drifting('access', fault, {
    differences: [{ item: folder, cause: 'access', domains: [], detail: fault }],
  })

/** A file that somebody is just writing is no alarm; one that is refused is, before the proxy restarts. */
export function onFolder({ cause, details }: Pick<HealthFinding, 'cause' | 'details'>): Partial<PartAdvice> {
  if (Array.isArray(details['refused']) && details['refused'].length > 0)
    return {
      severity: 'critical',
      remedy:
        'Correct the file or move it out of the folder before the proxy restarts: it would serve no route of it.',
    }
  const is_unknown =
    cause === null && Array.isArray(details['perhaps_open']) && details['perhaps_open'].length > 0
  return is_unknown ? { severity: 'warning', remedy: PERHAPS_OPEN } : (ADVICE[cause ?? ''] ?? {})
}

const ADVICE: Readonly<Record<string, Partial<PartAdvice>>> = {
  neighbour: { remedy: 'Correct or remove the other file; plumbline drift names it.' },
  shadowed: {
    remedy:
      'Remove the router of the other file, or give it a lower priority than ours; plumbline drift names it. No deploy does that.',
  },
}

type Evaluate = (neighbour: Neighbour, text: string) => Promise<EvaluatedFile>

async function evaluateFolder(
  list: NeighbourList,
  evaluate: Evaluate,
  rivalsAmong: RivalsAmong,
): Promise<LookedAt> {
  const all = await lookIntoAll(list.found, evaluate)
  const rivals = await rivalsAmong(
    all.flatMap(({ file, routes }) => (routes === null ? [] : [{ file, routes }])),
    all.flatMap(({ file, text, not_judged: why }) =>
      why === null || text === null ? [] : [{ file, text, why }],
    ),
  )
  const faults = all.flatMap(({ file, fault }): HealthDifference[] =>
    fault === null ? [] : [{ item: file, cause: 'neighbour', domains: [], detail: fault }],
  )
  const { in_the_way } = rivals
  const details = detailsOf(all, rivals)
  const differences = [...faults, ...in_the_way]
  const [first] = differences
  if (first === undefined) return withoutFault(list, details)
  const found = { differences, details, causes: countsOf(differences) }
  const message =
    faults.length > 0
      ? `${named(faults.map(({ item }) => item))}: ${first.detail} Correct it or move it out of the folder.`
      : `Another file of the folder has requests of ${named([...new Set(in_the_way.flatMap(({ domains }) => domains))])}. ${first.detail}`
  return drifting(first.cause, message, found)
}

type FoundInFile = FileFinding & Pick<Neighbour, 'file' | 'text'>

async function lookIntoAll(found: readonly Neighbour[], evaluate: Evaluate): Promise<readonly FoundInFile[]> {
  const all: FoundInFile[] = []
  const turn = turnsByTime()
  for (const neighbour of found) {
    // There may be hundreds of them.
    await turn()
    const { file, text } = neighbour
    all.push({ file, text, ...(await lookInto(neighbour, evaluate)) })
  }
  return all
}

/**
 * `refused` are the files for which the proxy would not read the folder, `unread` those that nobody has read here, `not_judged`
 * those that only it can read.
 */
const detailsOf = (all: readonly FoundInFile[], { unevaluated, perhaps_open }: FolderRivals) => ({
  refused: all.filter(({ is_refused }) => is_refused).map(({ file }) => file),
  unread: all.filter(({ is_unread }) => is_unread).map(({ file }) => file),
  not_judged: [
    ...all.flatMap(({ file, not_judged }) => (not_judged === null ? [] : [`${file} ${not_judged}`])),
    ...unevaluated,
  ],
  perhaps_open,
})

function withoutFault({ found, beyond }: NeighbourList, details: ReturnType<typeof detailsOf>): LookedAt {
  if (beyond > 0)
    return unknown(
      'unreadable',
      `${found.length} files of the folder were looked at and found well, ${beyond} more were not. Move what the proxy need not read out of it.`,
      { details },
    )
  const { not_judged, perhaps_open } = details
  if (perhaps_open.length > 0)
    return unknown(
      'unreadable',
      `Whether a route that asks to sign in is open is not known: ${named(perhaps_open)}. ${PERHAPS_OPEN}`,
      { details },
    )
  if (not_judged.length > 0)
    return healthy(
      `What could be judged of the other files does not stand in the way of the routes file. Not judged: ${named(not_judged)}.`,
      { details },
    )
  return healthy('No other file stands in the way of the routes file.', { details })
}

const PERHAPS_OPEN =
  'Take the routers of these hosts out of the template or into a file of their own, write plainer patterns, or set PLUMBLINE_TRAEFIK_API: the proxy itself then shows what it runs.'

interface FileFinding {
  readonly fault: string | null
  /** The proxy takes nothing of the folder for it. */
  readonly is_refused: boolean
  /** Whether the proxy takes it is not known, because it was not read here. */
  readonly is_unread: boolean
  /** Why nobody but the proxy can read it. */
  readonly not_judged: string | null
  /** Null where nobody but the proxy knows them. */
  readonly routes: FileRoutes | null
}

const WELL: FileFinding = { fault: null, is_refused: false, is_unread: false, not_judged: null, routes: null }
const STOPS =
  'The proxy then takes no change of any file in the folder, and after its next restart it serves no route of any of them.'

async function lookInto(neighbour: Neighbour, evaluate: Evaluate): Promise<FileFinding> {
  const { text, mode, too_large, not_utf8 } = neighbour
  if (too_large !== undefined)
    return {
      ...WELL,
      is_unread: true,
      fault: `It has ${too_large} bytes, which is too much to be looked at here, so nobody knows whether the proxy takes it.`,
    }
  if (text === null || (mode & 0o444) === 0)
    return { ...WELL, is_unread: true, fault: `It cannot be read (mode ${octal(mode)}). ${STOPS}` }
  if (text.includes('{{'))
    return { ...WELL, fault: mentionsOurs(text) ? CLASHES : null, not_judged: 'holds a Go template ("{{")' }
  if (not_utf8 === true) return refused(null, 'holds bytes that are no UTF-8')
  const evaluation = await evaluate(neighbour, text)
  if (evaluation.kind === 'refused') return refused(evaluation.line, evaluation.why)
  if (evaluation.kind === 'not_judged')
    return { ...WELL, fault: mentionsOurs(text) ? CLASHES : null, not_judged: evaluation.why }
  const { names, routes } = evaluation
  return { ...WELL, routes, fault: names.some((name) => name.startsWith(OUR_NAMES)) ? CLASHES : null }
}

const refused = (line: number | null, why: string): FileFinding => ({
  ...WELL,
  fault: `The proxy refuses it${line === null ? '' : ` at line ${line}`}: ${why}. ${STOPS}`,
  is_refused: true,
})

const CLASHES = 'It defines names of ours, and of two files with the same name the first one wins.'

/** In a text that is not read: what stands in front of a comment counts. */
const mentionsOurs = (text: string): boolean => DEFINED.some((form) => form.test(text))

/** The lengths are bounded: one line may be as long as the file. */
const DEFINED: readonly RegExp[] = [
  /^[^#\n]*plumbline-(?:site|home|redirect|assets|cors|tcp)_/m,
  // A key, which may be made by the template in part. A list of middlewares and an address define nothing.
  /^[^#\n]*plumbline-(?:\{\{[^}\n]{0,200}\}\}|[^\s:=,"'{}[\]]){0,300}(?:["'][ \t]{0,8}:|[ \t]{0,8}(?::(?!\S)|=))/m,
  // A table of TOML.
  /^[ \t]*\[{1,2}(?:http|tcp|udp|tls)\.[^\]\n#]*plumbline-/m,
]
