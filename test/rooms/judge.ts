/** What is wrong with one source file by the floor plan, one sentence each; no sentence means nothing is. */
import { posix } from 'node:path'
import {
  changesFiles,
  importsOf,
  openingComment,
  type Source,
  usesGlobalFetch,
  usesShell,
} from './read-source.ts'
import {
  AREA_WIRING,
  BUILDERS,
  COMPOSITION_ROOT,
  DOORS,
  EFFECTS,
  HOMES,
  INTERFACES,
  LIST_OF_FEATURES,
  LISTS,
  LONG_FILES,
  LOOKING_ONLY,
  MANIFEST,
  MAY_IMPORT,
  MAX_LINES,
  NESTED,
  OF_OTHERS,
  STRANGERS,
  VENDORS,
  WITHOUT_EFFECTS,
} from './table.ts'

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

/** The room of a path below `src`, or null for the composition root, where all arrows meet. */
const roomOf = (path: string): string | null => (path.includes('/') ? path.slice(0, path.indexOf('/')) : null)

/** The folder that a stranger is alone in: `adapters/files`, `adapters/dns/cloudflare`. */
function cellOf(path: string): string {
  const nested = NESTED.find((folder) => isWithin(path, folder))
  return path
    .split('/')
    .slice(0, nested === undefined ? 2 : nested.split('/').length + 1)
    .join('/')
}

/** `@scope/name/deep` and `name/deep` without the deep part. */
const libraryOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

export function faultsOf(source: Source): string[] {
  const imports = importsOf(source.text).flatMap((name) => importFault(source.path, name) ?? [])
  return [...placeFaults(source.path), ...imports, ...behaviourFaults(source), ...shapeFaults(source)].map(
    (fault) => `src/${source.path}: ${fault}`,
  )
}

/** Asked of every file: one that imports nothing of ours would stand anywhere unseen. */
function placeFaults(path: string): string[] {
  const room = roomOf(path)
  if (room !== null)
    return MAY_IMPORT[room] === undefined
      ? [`is in the room "${room}", which the floor plan does not know`]
      : []
  return AREA_WIRING.test(path) || COMPOSITION_ROOT.includes(path)
    ? []
    : ['stands among the wiring; give it a room, or name it in test/rooms/table.ts']
}

function importFault(path: string, name: string): string | null {
  if (name.startsWith('.')) return neighbourFault(path, posix.join(posix.dirname(path), name))
  if (!name.startsWith('node:')) return libraryFault(path, libraryOf(name))
  const room = roomOf(path)
  return room !== null && WITHOUT_EFFECTS.includes(room) && !reachesOutside(path) && EFFECTS.test(name)
    ? `imports ${name}, but ${room} does not act on the world; put it behind a port`
    : null
}

/** What puts a feature together, and what meets one outside thing for it. */
const reachesOutside = (path: string): boolean =>
  path.startsWith('features/') && (BUILDERS.test(path) || vendorOf(path) !== undefined)

export const vendorOf = (path: string): string | undefined => VENDORS.find((folder) => isWithin(path, folder))

function neighbourFault(path: string, target: string): string | null {
  const room = roomOf(path)
  if (MANIFEST.test(target) && path !== LIST_OF_FEATURES)
    return `imports ${target}, which only ${LIST_OF_FEATURES} knows`
  if (target.startsWith('../'))
    return target.endsWith('.json') ? null : `imports ${target.slice(3)}, which is not part of the program`
  const other = roomOf(target)
  if (room === null) return doorFault(path, target)
  if (other === room) return room === 'features' ? featureFault(path, target) : strangerFault(path, target)
  if (room === 'features' && mayBuildWith(path, other)) return null
  const allowed = MAY_IMPORT[room]
  // Said once, of the file itself.
  if (allowed === undefined) return null
  if (allowed.some((place) => isWithin(target, place))) return null
  return `imports ${target}, but ${room} may import only ${allowed.join(', ') || 'Node'}`
}

/** Builders put anything together but the roof, which hands them what it knows; what meets the outside has the tools of `io`. */
const mayBuildWith = (path: string, other: string | null): boolean =>
  (BUILDERS.test(path) && other !== null) || (other === 'io' && vendorOf(path) !== undefined)

function featureFault(path: string, target: string): string | null {
  const [, own = ''] = path.split('/')
  const [, other = ''] = target.split('/')
  if (own !== other && OF_OTHERS[own]?.[other] === undefined)
    return `imports ${target}, but no row of the table lets ${own} know ${other}`
  if (own !== other && target.endsWith('/feature.ts'))
    return `imports ${target}, which only the list of features knows`
  const vendor = vendorOf(target)
  if (vendor === undefined) return null
  if (isWithin(path, vendor)) return NESTED.includes(vendor) ? strangerFault(path, target) : null
  return BUILDERS.test(path) || INTERFACES.test(target)
    ? null
    : `imports ${target}, but ${vendor} is known by its port; a builder hands it in`
}

function doorFault(path: string, target: string): string | null {
  const room = roomOf(target) ?? ''
  const doors = DOORS[room]
  return doors === undefined || doors.includes(path)
    ? null
    : `imports ${target}, but ${room} is entered only by ${doors.join(', ')}`
}

function strangerFault(path: string, target: string): string | null {
  const reason = STRANGERS[roomOf(path) ?? '']
  if (reason === undefined || LISTS.includes(posix.basename(path))) return null
  // What stands directly in a nested folder is common to the strangers in it.
  if (
    cellOf(path) === cellOf(target) ||
    cellOf(target).startsWith(`${cellOf(path)}/`) ||
    NESTED.includes(posix.dirname(target))
  )
    return null
  return `imports ${target}, but ${reason}`
}

function libraryFault(path: string, library: string): string | null {
  const homes = HOMES[library]
  if (homes === undefined)
    return `imports ${library}, which has no home yet; give it one in test/rooms/table.ts`
  if (roomOf(path) === null)
    return `imports ${library}; the composition root puts rooms together and uses no library`
  return homes.some((home) => isWithin(path, home))
    ? null
    : `imports ${library}, whose home is ${homes.join(', ')}`
}

function behaviourFaults({ path, text }: Source): string[] {
  return [
    ...(usesGlobalFetch(text)
      ? ['calls the global fetch; import request or fetch from undici in an adapter']
      : []),
    ...(usesShell(text) ? ['gives a command line to a shell; use execFile with a list of arguments'] : []),
    ...(LOOKING_ONLY.includes(roomOf(path) ?? '') && changesFiles(text)
      ? [`imports what could change files; ${roomOf(path)} only looks`]
      : []),
  ]
}

function shapeFaults({ path, text }: Source): string[] {
  const lines = text.split('\n').length - 1
  return [
    ...(opensWithSentence(text)
      ? []
      : ['does not open with a comment that says in a sentence what it is for']),
    ...(lines > MAX_LINES && LONG_FILES[path] === undefined
      ? [
          `has ${lines} lines, more than ${MAX_LINES}; divide it, or name it with a reason in test/rooms/table.ts`,
        ]
      : []),
  ]
}

/** A sentence: at least three words and an end. */
export function opensWithSentence(text: string): boolean {
  const comment = openingComment(text)
  return comment !== null && /^\S+(?:\s+\S+){2,}[\s\S]*?[.:?]/.test(comment)
}
