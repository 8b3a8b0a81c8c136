/** From settings to what the HTTP façade takes: who may call, and where answers are remembered. */
import { type HostPort, showHostPort } from './config/kinds/network.ts'
import type { Settings } from './config/sections.ts'
import type { SessionProof } from './http/access/session.ts'
import { accessFaults, type AccessSettings } from './http/access/settings.ts'
import type { Feature } from './feature/feature.ts'
import type { Companion } from './http/companion.ts'
import type { ServedCompanion } from './http/companions.ts'
import type { AnswerMemory } from './http/idempotency.ts'
import type { Clock, Instant } from './kernel/clock.ts'
import { Failure, fieldError } from './kernel/failure.ts'
import { MAIN } from './features/keys/key-ids.ts'
import type { KeyRing } from './features/keys/key-ring.ts'
import type { ApiKey } from './features/keys/files/port.ts'
import type { Store, StoreWriter } from './ports/store.ts'
import { servedHosts } from './wiring.ts'

interface AccessParts {
  readonly ring: Pick<KeyRing, 'ended' | 'prove'>
  readonly companions: readonly Listening[]
  readonly sessions: SessionProof
}

/** Throws `bad_configuration` for settings that contradict each other. */
export function accessSettings(
  settings: Settings,
  { ring, companions, sessions }: AccessParts,
): AccessSettings {
  const { http } = settings
  const access: AccessSettings = {
    sessions: settings.console.sign_in === 'near' ? sessions : null,
    api_key: {
      equals: (text) => ring.prove(text) !== null,
      actorOf: (text) => actorOf(ring.prove(text)),
      idOf: (text) => ring.prove(text)?.id ?? null,
      readsOnly: (text) => ring.prove(text)?.access === 'read',
      ended: (text) => ring.ended(text),
    },
    listen: [http.listen.host, ...companions.flatMap(({ listen }) => listen?.host ?? [])],
    allowed_hosts: servedHosts(settings),
    allowed_origins: http.allowed_origins,
    trusted_networks: http.trusted_networks,
    trusted_proxies: http.trusted_proxies,
    proxy_secret: http.proxy_secret,
    trusts_loopback: trustsLoopback(settings),
    sso_change_groups: settings.sso.change_groups,
    sso_read_groups: settings.sso.read_groups,
  }
  const faults = [...accessFaults(access), ...listenFaults(http.listen, companions)]
  if (faults.length === 0) return access
  throw new Failure('bad_configuration', faults.join('\n'), {
    errors: faults.map((fault) =>
      fieldError([/^[A-Z_]+/.exec(fault)?.[0] ?? 'access'], fault.replace(/^[A-Z_]+:? /, ''), 'config'),
    ),
  })
}

type Listening = Pick<ServedCompanion, 'listen'>

/** Two that are to listen at one address: the system would only say that some process does already. */
function listenFaults(main: Settings['http']['listen'], companions: readonly Listening[]): readonly string[] {
  const all = [{ ...main, setting: 'PLUMBLINE_LISTEN' }, ...companions.flatMap(({ listen }) => listen ?? [])]
  return all.flatMap((one, at) => {
    const other = all.slice(0, at).find((before) => isOneAddress(before, one))
    return other === undefined
      ? []
      : [
          `${one.setting} is ${showHostPort(one)}, where ${other.setting} listens. Give each a port of its own.`,
        ]
  })
}

/** A port of 0 is any that is free. */
const isOneAddress = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.port !== 0 && (a.host === b.host || [a, b].some(({ host }) => EVERYWHERE.has(host)))

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** The services with a base address of their own that are not turned off. */
export const turnedOn = (features: readonly Feature[], { http }: Settings): readonly Companion[] =>
  features
    .flatMap(({ companion }) => companion ?? [])
    .filter(({ name }) => http.companions.some((one) => one === name))

/** Once there is a name for others to call, something on this host may be what leads them here. */
const trustsLoopback = (settings: Settings): boolean =>
  settings.http.local === null ? servedHosts(settings).length === 0 : settings.http.local === 'on'

/** What whoever relies on being this host has to hear of at the start, or null. */
export const localWarning = (settings: Settings): string | null =>
  settings.http.local === null && !trustsLoopback(settings)
    ? 'Calls from this host need a key, as PLUMBLINE_PUBLIC_URL or PLUMBLINE_ALLOWED_HOSTS is set. ' +
      'PLUMBLINE_LOCAL=on changes that where no proxy on this host leads here; PLUMBLINE_LOCAL=off ends this remark.'
    : null

/** The main key is called as ever. */
const actorOf = (key: ApiKey | null): string | null =>
  key === null || key.name === MAIN ? null : `key:${key.name}`

const ANSWERS_KEPT_MS = 24 * 3_600_000
/** Of one caller: more than a client repeats, and so few that nobody's flood pushes out what others repeat. */
const MAX_ANSWERS_OF_ONE = 1000
const MAX_ANSWERS = 10_000
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/** Forgetting looks at all that is kept, so it is done once for so many calls; so many more than the most may be kept. */
const FORGOTTEN_EVERY = 100

/** Answers to requests that carried an idempotency key. */
export function answerMemory(store: Store, clock: Clock): AnswerMemory {
  /** Who has reserved since anything was forgotten. The first call forgets what was left by a process before. */
  const holders = new Set<string>()
  let calls = FORGOTTEN_EVERY - 1
  const due = (holder: string): readonly string[] | null => {
    holders.add(holder)
    calls += 1
    if (calls < FORGOTTEN_EVERY) return null
    calls = 0
    const since = [...holders]
    holders.clear()
    return since
  }
  return {
    find: (key) => store.rememberedAnswer(key),
    reserve: (key, request_digest, holder) => {
      const since = due(holder)
      return store.write(async (tx) => {
        if (since !== null) await forgetSurplus(tx, since, clock.now())
        return tx.reserveAnswer(key, request_digest, clock.now())
      })
    },
    save: (key, answer) => store.write((tx) => tx.saveAnswer(key, answer)),
    drop: (key) => store.write((tx) => tx.dropAnswer(key)),
  }
}

async function forgetSurplus(tx: StoreWriter, holders: readonly string[], now: Instant): Promise<void> {
  await tx.forgetAnswers(now - ANSWERS_KEPT_MS)
  for (const holder of holders) await tx.forgetMoreAnswers(holder, MAX_ANSWERS_OF_ONE)
  await tx.forgetMoreAnswers('', MAX_ANSWERS)
  await tx.forgetAnswerBodies(MAX_ANSWER_BYTES)
}
