/**
 * Zones as master files (RFC 1035 §5) in a folder, one `<zone>.zone` each, as BIND, NSD, Knot and CoreDNS load them.
 *
 * The files belong to people as much as to us: only the lines of the sets that are changed, and the serial, are touched.
 * A set's comment is what stands behind the semicolon of its lines.
 */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../../kernel/clock.ts'
import { Failure, systemErrorCode } from '../../../../kernel/failure.ts'
import type { Log } from '../../../../kernel/log.ts'
import { type Ran, runCommand } from '../../../../kernel/run-command.ts'
import type { DnsZone, ListedRrset } from '../../../../model/network/dns.ts'
import type { ManagedFile } from '../../../../ports/files.ts'
import { checkChanges } from '../checked-change.ts'
import type { ChangeOutcome, DnsProvider, DnsTraits, PlaceFault, RrsetChange } from '../port.ts'
import { LARGEST_TTL, USUAL_TTL } from '../ttl.ts'
import { TurnTaking } from '../turn-taking.ts'
import { MAX_COMMENT } from './comment.ts'
import type { ParsedZone } from './parse.ts'
import { listedSets } from './sets.ts'
import { UnloadedMark } from './unloaded-mark.ts'
import { ZoneFile } from './zone-file.ts'

export interface ZonefileSettings {
  readonly account: string
  /** Folder of the zone files. */
  readonly directory: string
  /** Host names for the NS records of new zones. Must not lie in the zones themselves. */
  readonly nameservers: readonly string[]
  /** Mailbox of new zones as a name (`hostmaster.example.com`); null for `hostmaster` in each zone. */
  readonly contact: string | null
  /** Command, word by word, that makes the name server load a zone; `{zone}` stands for its name. Null for none. */
  readonly reload: readonly string[] | null
}

export interface ZonefileTools {
  /** Managed files of at most `MAX_ZONE_BYTES`. */
  readonly file: (path: string) => ManagedFile
  readonly clock: Clock
  readonly log: Log
}

const TRAITS: DnsTraits = {
  batch_most: 10_000,
  atomic: true,
  page_most: null,
  has_stamp: true,
  comment_most: MAX_COMMENT,
  has_proxy: false,
  ttl: { least: 0, most: LARGEST_TTL, automatic: false },
  makes_zones: true,
  limit: null,
}

export class ZonefileProvider implements DnsProvider {
  readonly kind = 'zonefile'
  readonly account: string
  readonly traits = TRAITS
  readonly #settings: ZonefileSettings
  readonly #tools: ZonefileTools
  readonly #files = new Map<string, ZoneFile>()
  readonly #turns = new TurnTaking()
  readonly #unloaded = new Map<string, UnloadedMark>()

  constructor(settings: ZonefileSettings, tools: ZonefileTools) {
    this.account = settings.account
    this.#settings = settings
    this.#tools = tools
  }

  async zones(signal: AbortSignal): Promise<DnsZone[]> {
    signal.throwIfAborted()
    return zonesIn(this.#settings.directory, this.account, this.#tools.log)
  }

  /** Null while the server may not have loaded our last change, so that a full look comes and the reload is tried again. */
  async stamp(zone: string, signal: AbortSignal): Promise<string | null> {
    return (await this.#isUnloaded(zone)) ? null : this.#file(zone).stamp(signal)
  }

  list(zone: string, signal: AbortSignal): Promise<ListedRrset[]> {
    return this.#turns.take(zone, signal, async () => {
      const parsed = await this.#file(zone).read(signal)
      if (await this.#isUnloaded(zone)) await this.#load(zone, signal)
      return listedSets(parsed)
    })
  }

  change(zone: string, changes: readonly RrsetChange[], signal: AbortSignal): Promise<ChangeOutcome[]> {
    return this.#turns.take(zone, signal, async () => {
      const options = { provider: this.kind, zone, traits: TRAITS }
      const check = ({ default_ttl }: ParsedZone) =>
        checkChanges(changes, { ...options, usual_ttl: default_ttl ?? USUAL_TTL })
      const written = await this.#file(zone).change(check, () => this.#expectLoad(zone, signal), signal)
      const failure = written ? await this.#load(zone, signal) : null
      return changes.map(() => (failure === null ? { ok: true, ids: [] } : unloaded(failure)))
    })
  }

  placeFault(zone: string): Promise<PlaceFault | null> {
    return this.#file(zone).placeFault()
  }

  watch(zone: string, hint: () => void): { close(): void } {
    return this.#file(zone).watch(hint)
  }

  makeZone(zone: string, signal: AbortSignal): Promise<void> {
    return this.#turns.take(zone, signal, async () => {
      const { nameservers, contact } = this.#settings
      await this.#file(zone).make({ zone, nameservers, contact }, this.#tools.clock.now(), signal)
    })
  }

  #file(zone: string): ZoneFile {
    if (!isZoneName(zone))
      throw new Failure(
        'provider_refused',
        `zonefile: ${JSON.stringify(zone.slice(0, 255))} is not the name of a zone.`,
      )
    const known = this.#files.get(zone)
    if (known !== undefined) return known
    const file = new ZoneFile(
      zone,
      this.#tools.file(zonePath(this.#settings.directory, zone)),
      this.#tools.clock,
    )
    this.#files.set(zone, file)
    return file
  }

  /** The server may not have what we wrote, perhaps in an earlier process that ended before the command did. */
  async #isUnloaded(zone: string): Promise<boolean> {
    return hasWords(this.#settings.reload) && (await this.#mark(zone).stands())
  }

  async #expectLoad(zone: string, signal: AbortSignal): Promise<void> {
    if (hasWords(this.#settings.reload)) await this.#mark(zone).put(signal)
  }

  #mark(zone: string): UnloadedMark {
    const known = this.#unloaded.get(zone)
    if (known !== undefined) return known
    const path = join(this.#settings.directory, `.${zone}${SUFFIX}.unloaded`)
    const mark = new UnloadedMark(path, this.#tools.file(path))
    this.#unloaded.set(zone, mark)
    return mark
  }

  /** Null when the server took the zone, or none is to be told; else what to say about it. */
  async #load(zone: string, signal: AbortSignal): Promise<string | null> {
    const { reload } = this.#settings
    if (!hasWords(reload)) return null
    const reloaded = await runReload(reload, zone, signal)
    if (reloaded.ok) {
      await this.#mark(zone).take()
      return null
    }
    const { why, output } = reloaded
    this.#tools.log.warn('a zone file was not loaded', { zone, command: reload[0], why, output })
    return `zonefile: the change is in ${zonePath(this.#settings.directory, zone)} but not loaded: ${why}. Run the reload command by hand and see what it says; it is tried again at the next look.`
  }
}

const hasWords = (reload: readonly string[] | null): reload is readonly string[] =>
  reload !== null && reload.length > 0

const unloaded = (message: string): ChangeOutcome => ({ ok: false, code: 'component_unavailable', message })

/** Telling the name server that a zone file is new, by the operator's own command. */
const MAX_RUN_MS = 10_000

/** `{zone}` in its words is replaced. An abort is an answer too: whether the zone was loaded has to be found out then. */
async function runReload(command: readonly string[], zone: string, signal: AbortSignal): Promise<Ran> {
  const words = command.map((word) => word.replaceAll('{zone}', zone))
  try {
    const ran = await runCommand(words, { max_ms: MAX_RUN_MS, signal })
    // Who reads it is told of the change first, and of the command after that.
    return ran.ok ? ran : { ...ran, why: ran.why.replace(/^the command /, 'it ') }
  } catch (error) {
    if (!signal.aborted) throw error
    return { ok: false, why: 'the wait for it was broken off', output: '', ended: false }
  }
}

// Which zones a folder holds: its files named `<zone>.zone`.

const SUFFIX = '.zone'
// Lower-case labels; underscores stand in zones of services. Nothing that could lead out of the folder.
const ZONE =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/

const isZoneName = (name: string): boolean => ZONE.test(name)

const zonePath = (directory: string, zone: string): string => join(directory, `${zone}${SUFFIX}`)

/** Ordered by name; none where there is no folder yet. A file whose name is no zone's is told to the log. */
async function zonesIn(directory: string, account: string, log: Log): Promise<DnsZone[]> {
  const zones: DnsZone[] = []
  for (const entry of await entriesOf(directory)) {
    if (entry.name.startsWith('.') || !entry.name.endsWith(SUFFIX)) continue
    const name = entry.name.slice(0, -SUFFIX.length)
    if (isZoneName(name)) zones.push({ name, account, ...accessOf(entry) })
    else
      log.warn('a file is not taken for a zone: its name is none in lower case', {
        file: join(directory, entry.name),
      })
  }
  return zones.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const accessOf = (entry: Dirent): Pick<DnsZone, 'writable' | 'detail'> =>
  entry.isFile()
    ? { writable: true, detail: null }
    : { writable: false, detail: `${entry.name} is not a regular file; put the zone itself there` }

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true })
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'ENOENT') return []
    throw new Failure(
      'component_unavailable',
      `zonefile: ${directory} could not be read (${code ?? 'unknown'}). See that it is a folder that this user may read.`,
      { cause: error },
    )
  }
}
