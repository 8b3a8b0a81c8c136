/**
 * One run: the own line first, then the hub, and the own line once more where the hub is not up; then what was found is kept,
 * mailed and told to the daemon. What was decided is kept before anybody is mailed, so that a run that is killed leaves its mail to the next one.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { ExternalReport, ExternalResult } from '../../../model/network/external-check.ts'
import type { Kept } from '../files/port.ts'
import type { Probes } from '../probes/port.ts'
import type { Mailer } from '../../mail/port.ts'
import { evaluateProbes } from './evaluate.ts'
import {
  type Memory,
  newMemory,
  ofOtherHub,
  memoryFromResult,
  parseMemory,
  unmailed,
  withFound,
  withMailed,
} from './memory.ts'
import { type OutageMail, outageMail } from './message.ts'
import { MAX_TRIES, type Tried, tryAll } from './tries.ts'

export interface CheckParts {
  readonly clock: Clock
  /** As people read it: a name, with its port where that is another than 443. */
  readonly hub: string
  readonly hub_name: string
  readonly watcher: string
  readonly probes: Probes
  readonly kept: Kept
  readonly pause_ms: Milliseconds
  /** Null where nobody is mailed. */
  readonly mail: OutgoingMail | null
}

export interface OutgoingMail {
  readonly mailer: Pick<Mailer, 'send' | 'senders'>
  readonly from: readonly string[]
  readonly to: readonly string[]
}

const CONTROL_MS: Milliseconds = 2000
/** Of the 60 s that a run may take: what remains is for the start and the end of the process. */
const RUN_MS: Milliseconds = 57_000

type Report = Omit<ExternalReport, 'hub' | 'warnings' | 'is_unsaved'>

export async function runCheck(parts: CheckParts): Promise<ExternalReport> {
  const warnings: string[] = []
  const began = parts.clock.elapsed()
  const late = AbortSignal.timeout(RUN_MS)
  let is_unsaved = false
  const save = async (writing: Promise<void>): Promise<void> => {
    try {
      await writing
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      is_unsaved = true
      if (!warnings.includes(error.message)) warnings.push(error.message)
    }
  }
  const { hub } = parts
  const found = await look(parts, { warnings, late, save, began })
  return { hub, ...found, warnings, is_unsaved }
}

interface Run {
  readonly warnings: string[]
  readonly late: AbortSignal
  readonly began: Milliseconds
  readonly save: (writing: Promise<void>) => Promise<void>
}

async function look(parts: CheckParts, run: Run): Promise<Report> {
  const { clock, probes, kept, hub, hub_name, pause_ms } = parts
  if (!(await isLineAlive(parts, run.late))) return deadLine(run)
  const before = readMemory(parts, run.warnings)
  const tried = await tryAll({
    clock,
    probes,
    hub: hub_name,
    pause_ms,
    kept: before.addresses,
    signal: run.late,
  })
  const at: Instant = clock.now()
  const result = evaluateProbes(tried.probes, at)
  if (result.status !== 'up' && (await hasLineDied(parts, run.late))) return deadLine(run)
  const is_reachable = result.checks.connectivity === 'up'
  const memory = withFound({ ...before, hub, addresses: tried.addresses }, is_reachable, at)
  await run.save(kept.saveMemory(`${JSON.stringify(memory)}\n`))
  await run.save(kept.saveResult(`${JSON.stringify(result)}\n`))
  const { answers, passed, detail } = tried.probes.https
  if (answers && !passed) run.warnings.push(`${detail}.`)
  const [mailed] = await Promise.all([
    mailOutages(parts, run, { memory, tried }),
    beat(parts, run, { tried, result }),
  ])
  return { result, probes: tried.probes, mailed }
}

async function isLineAlive({ probes, clock, pause_ms }: CheckParts, late: AbortSignal): Promise<boolean> {
  for (let i = 1; i <= MAX_TRIES; i++) {
    if (await probes.ownLine(late, CONTROL_MS)) return true
    if (i < MAX_TRIES) await clock.sleep(pause_ms)
  }
  return false
}

/** It was alive before the probes. Once the time of the run is over nobody can tell, and what was found stands. */
const hasLineDied = async ({ probes }: CheckParts, late: AbortSignal): Promise<boolean> =>
  !(await probes.ownLine(late, CONTROL_MS)) && !late.aborted

function deadLine({ warnings }: Run): Report {
  warnings.push('None of the control addresses answers: this line is dead, and nothing is said of the hub.')
  return { result: null, probes: null, mailed: null }
}

/** Of what cannot be read the last result tells what matters: the worst that follows is a mail that was sent before. */
function readMemory({ kept, hub, clock }: CheckParts, warnings: string[]): Memory {
  const { text, fault } = kept.read()
  const memory = text === null ? null : parseMemory(text)
  if (fault !== null) warnings.push(`${kept.state_path} cannot be read (${fault}): this run begins anew.`)
  else if (text !== null && memory === null)
    warnings.push(`${kept.state_path} is damaged, so this run begins anew.`)
  else if (memory === null || memory.hub === hub) return memory ?? newMemory(hub)
  else {
    if (memory.outages.length > 0)
      warnings.push(`The hub was ${memory.hub} before: its outage goes on as one of ${hub}.`)
    return ofOtherHub(memory, hub)
  }
  return memoryFromResult(hub, kept.lastResult(), clock.now())
}

async function beat(
  { probes }: CheckParts,
  { warnings, late }: Run,
  { tried, result }: { readonly tried: Tried; readonly result: ExternalResult },
): Promise<void> {
  const why = await probes.heartbeat(result, tried.addresses, late)
  if (typeof why === 'string') warnings.push(`The heartbeat ${why}.`)
}

async function mailOutages(
  parts: CheckParts,
  run: Run,
  { memory, tried }: { readonly memory: Memory; readonly tried: Tried },
): Promise<ExternalReport['mailed']> {
  const outages = unmailed(memory)
  if (outages.length === 0) return null
  const { mail, kept, hub, watcher } = parts
  const message = outageMail(outages, {
    hub,
    watcher,
    probes: tried.probes,
    reachable_at: memory.reachable_at,
  })
  if (mail === null) {
    await run.save(kept.saveMemory(`${JSON.stringify(withMailed(memory))}\n`))
    return null
  }
  const sent = await send(mail, message, { at: parts.clock.now(), signal: run.late })
  if (sent.kind === 'sent') {
    await run.save(kept.saveMemory(`${JSON.stringify(withMailed(memory))}\n`))
    return message.kind
  }
  run.warnings.push(
    `The mail "${message.subject}" was not sent, and is tried again by the next run: ${sent.detail}`,
  )
  if (sent.kind === 'refused') return null
  // Sent once more under its id, and then let be: a server that never says so could be given it for ever.
  const is_second = memory.uncertain_mail === message.id
  const after = is_second ? withMailed(memory) : { ...memory, uncertain_mail: message.id }
  await run.save(kept.saveMemory(`${JSON.stringify(after)}\n`))
  return null
}

async function send(
  { mailer, from, to }: OutgoingMail,
  { id, subject, text }: OutageMail,
  { at, signal }: { readonly at: Instant; readonly signal: AbortSignal },
): Promise<{ readonly kind: 'sent' } | { readonly kind: 'refused' | 'unknown'; readonly detail: string }> {
  const address = from[0]!
  const mail = {
    message_id: `<external-${id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    at,
    from: { address, name: null },
    to: to.map((one) => ({ address: one, name: null })),
    cc: [],
    bcc: [],
    reply_to: null,
    subject,
    text,
    html: null,
  }
  try {
    return await mailer.send(mail, async () => undefined, signal)
  } catch (error) {
    return { kind: 'refused', detail: error instanceof Error ? error.message : String(error) }
  }
}
