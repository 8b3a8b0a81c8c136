/** A key that may log in from now on. The same key again changes its name and each option that is given, else nothing. */
import { type Instant, isoTime } from '../../kernel/clock.ts'
import { digestOf } from '../../kernel/digest.ts'
import { Failure, type FieldError, fieldError, invalid } from '../../kernel/failure.ts'
import type { SshClient } from '../../model/ssh/client.ts'
import { type AskedOptions, askedAgain, type KeyOptions, readOptions } from '../../model/ssh/options.ts'
import {
  type HandedKey,
  isSafeName,
  MAX_NAME,
  parsePublicKey,
  weaknessOf,
} from '../../model/ssh/public-key.ts'
import { type PlannedAnswer, planned } from '../../core/answers.ts'
import { ONLY_SAVES } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { SshService } from './service.ts'
import type { SentKey } from './remove.ts'
import {
  assertConfigured,
  bringThere,
  type ChangedClient,
  clientAudit,
  foreignWarnings,
  lineChange,
} from './change.ts'
import { sshClientRecords } from './records.ts'

export interface ClientRequest {
  /** The line of a `.pub` file. */
  readonly public_key: SentKey
  readonly name?: string | undefined
  readonly options?: AskedOptions | undefined
}

export type AddedClient = ChangedClient & { readonly created: boolean }

/** sshd reads the whole file at each login. */
const MAX_CLIENTS = 1000
const UNNAMED = 'unnamed'

/** Throws `validation_failed`, `conflict`, `component_unavailable`, and what keeps the gateway from taking it. */
export async function addClient(
  ssh: SshService,
  request: ClientRequest,
  caller: Caller,
): Promise<AddedClient | PlannedAnswer> {
  const wish = checked(request, ssh)
  assertConfigured(ssh)
  const committed = await ssh.commit(caller, async (tx, at) => {
    const clients = await tx.of(sshClientRecords).sshClients()
    const before = clients.find(({ fingerprint }) => fingerprint === wish.key.fingerprint) ?? null
    const weakness = weaknessOf(wish.key)
    if (before === null && weakness !== null)
      throw invalid([fieldError(['body', request.public_key.field], weakness, 'ssh_key')])
    if (before === null && clients.length >= MAX_CLIENTS)
      throw new Failure(
        'conflict',
        `There are ${MAX_CLIENTS} clients, and no more are taken. Remove one first.`,
      )
    const client = clientFrom(wish, before, { at, options: optionsFor(wish, before, ssh) })
    const is_same = before !== null && before.revision === client.revision
    const message = messageOf(client, { before, is_same })
    const dropped = portWarnings(wish, before)
    const change = {
      result: { client, message, created: before === null, dropped },
      ...ONLY_SAVES,
      warnings: [...(is_same ? [message] : []), ...dropped, ...pastWarnings(client, at)],
      actions: lineChange(before, client),
    }
    if (is_same) return { ...change, audit: [] }
    await tx.of(sshClientRecords).saveSshClient(client)
    const { fingerprint, name } = client
    await tx.addEvent({
      at,
      kind: 'ssh_client',
      message,
      facts: { fingerprint, name, actor: caller.actor.name },
    })
    const action = before === null ? 'add_ssh_client' : 'change_ssh_client'
    return { ...change, audit: [clientAudit(action, client, before)] }
  })
  if (committed.planned) return planned(committed.plan)
  const { client, message, created, dropped } = committed.result
  ssh.events.added()
  const seen = await bringThere(ssh, client, caller)
  const { fingerprint, type, bits, name } = client
  const warnings = [
    ...dropped,
    ...pastWarnings(client, client.updated_at),
    ...(await foreignWarnings(ssh, client, { seen, signal: caller.signal })),
  ]
  return { success: true, message, fingerprint, type, bits, name, created, warnings }
}

/** What has ended is added all the same: whoever keeps lists of keys may keep it in them. */
const pastWarnings = ({ options }: SshClient, at: Instant): readonly string[] =>
  options.expires_at === null || options.expires_at > at
    ? []
    : [`It expired at ${isoTime(options.expires_at)}: sshd does not take it.`]

interface Wish {
  readonly key: HandedKey
  /** Null: the key's own comment, or the name that it has. */
  readonly name: string | null
  /** Left out: as they are, or by default. */
  readonly asked: AskedOptions | undefined
}

/** What is wrong with a request by its grammar. */
export const clientFaults = (request: ClientRequest, ssh: SshService): readonly FieldError[] =>
  readRequest(request, ssh).errors

function checked(request: ClientRequest, ssh: SshService): Wish {
  const { wish, errors } = readRequest(request, ssh)
  if (wish === null || errors.length > 0) throw invalid(errors)
  return wish
}

interface ReadRequest {
  readonly wish: Wish | null
  readonly errors: readonly FieldError[]
}

function readRequest({ public_key, name, options }: ClientRequest, ssh: SshService): ReadRequest {
  const key = parsePublicKey(public_key.text)
  const errors = key.ok ? [] : [fieldError(['body', public_key.field], key.msg, key.type)]
  if (name !== undefined && !isSafeName(name))
    errors.push(
      fieldError(['body', 'name'], `must be 1 to ${MAX_NAME} letters, digits or any of @ . _ -`, 'ssh_name'),
    )
  // Whether ports may be forwarded may stand at the client already, which only the transaction sees.
  const defaults = { ...ssh.defaults, port_forwarding: true }
  const read = readOptions(options ?? {}, { defaults, on_token: key.ok && isOnToken(key.value) })
  const wish = key.ok ? { key: key.value, name: name ?? null, asked: options } : null
  return { wish, errors: [...errors, ...read.errors] }
}

const isOnToken = ({ type }: HandedKey): boolean => type.startsWith('sk-')

/** Which ports may be forwarded says nothing where none may be. Whoever takes the right away takes those along. */
const NO_PORTS = { permit_open: [], permit_listen: [] } as const

const liftsPorts = (asked: AskedOptions | undefined): boolean => asked?.port_forwarding === false

function portWarnings({ asked }: Wish, before: SshClient | null): readonly string[] {
  if (before === null || !liftsPorts(asked)) return []
  const { permit_open, permit_listen } = before.options
  const ports = [...permit_open, ...permit_listen]
  return ports.length === 0
    ? []
    : [`No ports may be forwarded any more, so these are dropped: ${ports.join(', ')}.`]
}

/** Whoever changes one option must not lift another, such as the command, without a word. Throws `validation_failed`. */
function optionsFor({ key, asked }: Wish, before: SshClient | null, { defaults }: SshService): KeyOptions {
  if (before !== null && asked === undefined) return before.options
  const kept = before === null ? {} : { ...askedAgain(before.options), ...(liftsPorts(asked) && NO_PORTS) }
  const read = readOptions({ ...kept, ...asked }, { defaults, on_token: isOnToken(key) })
  if (read.errors.length > 0) throw invalid(read.errors)
  return read.options
}

/** The same revision where nothing changes. */
function clientFrom(
  { key, name }: Wish,
  before: SshClient | null,
  { options, at }: { readonly options: KeyOptions; readonly at: Instant },
): SshClient {
  const { comment, ...facts } = key
  if (before === null) {
    const called = name ?? (comment === '' ? UNNAMED : comment)
    return { ...facts, name: called, options, revision: 1, created_at: at, updated_at: at }
  }
  const next = { ...before, name: name ?? before.name, options }
  return digestOf(next) === digestOf(before)
    ? before
    : { ...next, revision: before.revision + 1, updated_at: at }
}

interface AddingFacts {
  readonly before: SshClient | null
  readonly is_same: boolean
}

function messageOf({ name, fingerprint }: SshClient, { before, is_same }: AddingFacts): string {
  const who = `${name} (${fingerprint})`
  if (before === null) return `SSH client ${who} was added.`
  return is_same ? `SSH client ${who} is there already.` : `SSH client ${who} was changed.`
}
