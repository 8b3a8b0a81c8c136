/**
 * Whether a routes file lets in somebody whom the released one keeps out, or may do so for all that can be told here. The
 * text may be anybody's: it is cut by our own indentation, never parsed, and what is spelt otherwise cannot be told.
 *
 *   in the file, and not as it was released              lets in more
 *   a router that was not released, or another rule,     yes
 *     service, priority, entrypoint or TLS of one
 *   one with a middleware less                           yes
 *   one with a further list of addresses or a limit,     no
 *     or one that leads nowhere now
 *   another definition of a middleware, or one that      yes
 *     a router lists and the file does not define
 *   a service that leads to a backend that stands        yes
 *     behind a check in the release, or that may be it:
 *     another spelling, a name, a form that we do not
 *     write
 *   another definition of a transport, timeouts aside,   yes: it may trust whoever answers in the backend's place
 *     or a further one
 *   any other service, a comment, another order          no
 *   a router that is gone                                only where its backend is open to others, or an open router
 *                                                          with a star takes its host
 *   what is not printable ASCII, a template, a section   yes: it may mean anything
 *     or a line that is none of our kinds
 */
import { quote } from '../../../kernel/text/quoted.ts'
import type { FileLook } from '../../../ports/files.ts'
import { type Backend, destinationsIn, isSamePlace, Places } from '../render/backends.ts'
import { type Block, scanBlocks } from '../read/blocks.ts'
import { NOWHERE } from '../render/router.ts'
import { textOf } from '../render/text.ts'
import type { RoutesDesired } from '../target/desire.ts'
import { MAX_COMPARED_BYTES } from '../target/explain.ts'
import { GENERATION_MARK, OPEN_ROLES, roleMark } from '../render/names.ts'
import { namesIn, type Parts, partsOf, serviceOf, typeOf, withoutComments } from './entry-parts.ts'
import { hasStar, isWhole, type Listening, listeningOf, takesOver } from './open-stars.ts'

type Blocks = ReadonlyMap<string, Block>
type Released = Pick<RoutesDesired, 'objects'>

export function opensRoutes(released: Released, look: FileLook): boolean {
  switch (look.kind) {
    case 'absent':
      return false
    case 'oversize':
      return true
    case 'intruder':
      // The proxy reads through links and folders, takes what a pipe gives it, and may be let in where we are not.
      return true
    case 'file': {
      if (look.access?.opens === true) return true
      if (look.bytes.length > MAX_COMPARED_BYTES) return true
      return isLaxer(released.objects(), textOf([look.bytes]))
    }
  }
}

/** Go takes further characters for line ends than we do, and templates write what they like. */
const isOurAlphabet = (text: string): boolean => /^[\n\u0020-\u007e]*$/.test(text) && !text.includes('{{')

function isLaxer(wanted: Blocks, text: string): boolean {
  if (!isOurAlphabet(text)) return true
  const found = scanBlocks(text)
  let made: Guarded | null = null
  const guarded = () => (made ??= new Guarded(wanted))
  // Then whatever a released router lists is there.
  const has_all = [...wanted.keys()].every((item) => !isMiddleware(item) || found.has(item))
  for (const [item, block] of found) {
    // Nearly every block of nearly every file.
    if (has_all && block.placed && block.text === wanted.get(item)?.text) continue
    if (isLaxerBlock({ item, block, wanted, found, guarded })) return true
  }
  // Where no router is left, or none is gone, nobody takes another's place.
  if (![...found.keys()].some(isRouter)) return false
  const removed = [...wanted.keys()].filter((item) => isRouter(item) && !found.has(item))
  return removed.length > 0 && (guarded().isOpenElsewhere(removed, found) || guarded().isTakenOver(found))
}

const isRouter = (item: string): boolean => /^(?:http|tcp)\.routers\./.test(item)
const isMiddleware = (item: string): boolean => /^(?:http|tcp)\.middlewares\./.test(item)

interface ComparedBlock {
  readonly item: string
  readonly block: Block
  readonly wanted: Blocks
  readonly found: Blocks
  /** Computed when it is asked for: it looks at every router of the release. */
  readonly guarded: () => Guarded
}

function isLaxerBlock(compared: ComparedBlock): boolean {
  const { item, block, wanted, found, guarded } = compared
  const bare = withoutComments(block.text)
  if (!block.placed) return bare !== ''
  const as_released = wanted.get(item)
  const is_same = as_released !== undefined && withoutComments(as_released.text) === bare
  const [root = '', kind] = item.split('.', 2)
  switch (`${root}.${kind}`) {
    case 'http.routers':
    case 'tcp.routers': {
      if (as_released === undefined) return true
      const lists = namesIn(partsOf(bare)?.get('middlewares') ?? '')
      if (lists === null || lists.some((name) => !found.has(`${root}.middlewares.${name}`))) return true
      return !is_same && !isStricter(partsOf(withoutComments(as_released.text)), partsOf(bare), compared)
    }
    case 'http.middlewares':
    case 'tcp.middlewares':
      return as_released !== undefined && !is_same && !item.startsWith(`http.middlewares.${GENERATION_MARK}`)
    case 'http.services':
    case 'tcp.services':
      return !is_same && guarded().isReachedBy(item, bare)
    case 'http.serversTransports':
      return (
        as_released === undefined ||
        withoutTimeouts(withoutComments(as_released.text)) !== withoutTimeouts(bare)
      )
    default:
      return true
  }
}

/** How long the proxy waits lets nobody in. Only in our own form: a key in another one is none of these. */
const withoutTimeouts = (transport: string): string =>
  transport.replace(/^ {6}forwardingTimeouts:\n(?: {8}[A-Za-z]+: "[^"\\]*"\n)+/m, '')

/** The same router with further checks in front of it. */
function isStricter(
  released: Parts | null,
  parts: Parts | null,
  { item, found, wanted }: ComparedBlock,
): boolean {
  if (released === null || parts === null) return false
  const keys = new Set([...released.keys(), ...parts.keys()])
  keys.delete('middlewares')
  const is_dead_end = isDeadEnd(parts) && !isDeadEnd(released)
  if (is_dead_end) keys.delete('service')
  for (const key of keys) if (released.get(key) !== parts.get(key)) return false
  const before = namesIn(released.get('middlewares') ?? '')
  const names = namesIn(parts.get('middlewares') ?? '')
  if (before === null || names === null) return false
  if (is_dead_end) return names.every((name) => before.includes(name))
  let at = 0
  for (const name of names) {
    if (name === before[at]) at++
    else if (!onlyCloses(`${item.split('.')[0]!}.middlewares.${name}`, { found, wanted })) return false
  }
  return at === before.length
}

/** It has the host and leads nowhere. */
const isDeadEnd = (parts: Parts): boolean => parts.get('service') === `      service: ${quote(NOWHERE)}\n`

/** Takes requests away and changes none. */
const CLOSING: readonly string[] = ['ipAllowList', 'inFlightReq', 'rateLimit']

function onlyCloses(item: string, { found, wanted }: Pick<ComparedBlock, 'found' | 'wanted'>): boolean {
  const type = typeOf(found.get(item))
  return type !== null && (CLOSING.includes(type) || (type === 'forwardAuth' && wanted.has(item)))
}

/** They let everybody pass. */
const PASSING: readonly string[] = [
  'buffering',
  'circuitBreaker',
  'compress',
  'headers',
  'inFlightReq',
  'rateLimit',
  'redirectRegex',
  'redirectScheme',
  'retry',
]

const isOpenPaths = (item: string): boolean =>
  OPEN_ROLES.some((role) => item.startsWith(`http.routers.${roleMark(role)}`))

/** What stands behind a check in the release, and where that leads. */
class Guarded {
  readonly #wanted: Blocks
  /** Items of the routers. */
  readonly #routers = new Set<string>()
  readonly #names = new Set<string>()
  readonly #backends = new Places()
  /** Where routers without a check lead, by their items. */
  readonly #open = new Map<string, readonly Backend[]>()
  /** Of every router. */
  readonly #parts = new Map<string, Parts | null>()

  constructor(wanted: Blocks) {
    this.#wanted = wanted
    const types = new Map<string, string | null>()
    const typeAt = (middleware: string): string | null => {
      if (!types.has(middleware)) types.set(middleware, typeOf(wanted.get(middleware)))
      return types.get(middleware) ?? null
    }
    for (const [item, { text }] of wanted) {
      const [root = '', kind] = item.split('.', 2)
      if (kind !== 'routers') continue
      const parts = partsOf(withoutComments(text))
      const names = namesIn(parts?.get('middlewares') ?? '') ?? []
      const checks = names.some((name) => !PASSING.includes(typeAt(`${root}.middlewares.${name}`) ?? ''))
      const service = serviceOf(parts)
      const backends = this.#backendsOf(`${root}.services.${service}`)
      this.#parts.set(item, parts)
      if (!checks) {
        // Its paths are open beside a route that is not, whatever becomes of that one.
        if (!isOpenPaths(item)) this.#open.set(item, backends)
        continue
      }
      this.#routers.add(item)
      for (const backend of backends) this.#backends.add(backend)
      this.#names.add(service)
    }
  }

  /** Whether this text of a service leads where only a check may, and where the service did not lead before. */
  isReachedBy(item: string, text: string): boolean {
    const destinations = destinationsIn(text)
    if (destinations === null) return true
    const own_name = item.split('.').slice(2).join('.')
    if (destinations.words.some((word) => word !== own_name && this.#names.has(word))) return true
    const own = this.#backendsOf(item)
    return destinations.backends.some(
      (backend) => !own.some((one) => isSamePlace(one, backend)) && this.#backends.mayHave(backend),
    )
  }

  /** Whether the backend of one of these routers, which are gone, answers under another name of the file, without a check. */
  isOpenElsewhere(removed: readonly string[], found: Blocks): boolean {
    const reached = new Places()
    for (const [open, backends] of this.#open)
      if (found.has(open)) for (const backend of backends) reached.add(backend)
    if (reached.size === 0) return false
    return removed.some((item) => {
      if (!this.#routers.has(item)) return false
      const [root = ''] = item.split('.', 1)
      const service = serviceOf(partsOf(this.#wanted.get(item)!.text))
      return this.#backendsOf(`${root}.services.${service}`).some((backend) => reached.has(backend))
    })
  }

  /** Whether an open router with a star has the host of a protected one, because what was before it there is gone. */
  isTakenOver(found: Blocks): boolean {
    const stars = [...this.#open].flatMap(([item, backends]) =>
      // A redirect leads nowhere.
      found.has(item) && backends.length > 0 ? [this.#listening(item)].filter(hasStar) : [],
    )
    if (stars.length === 0) return false
    const protected_hosts = new Set([...this.#routers].flatMap((item) => this.#listening(item).hosts))
    return [...this.#parts.keys()].some((item) => {
      if (found.has(item) || !isWhole(item)) return false
      const removed = this.#listening(item)
      return (
        removed.hosts.some((host) => protected_hosts.has(host)) &&
        stars.some((star) => takesOver(star, removed))
      )
    })
  }

  #listening(item: string): Listening {
    return listeningOf(this.#parts.get(item) ?? null)
  }

  /** Where a released service leads. */
  #backendsOf(item: string): readonly Backend[] {
    return destinationsIn(withoutComments(this.#wanted.get(item)?.text ?? ''))?.backends ?? []
  }
}
