/** Passes that nobody asks for: what each must come to, how few bring peace, and that peace is quiet. */
import { isGood, type Report } from '../../src/model/report.ts'
import type { Subject } from './subject.ts'

const AN_HOUR_MS = 3_600_000
const A_PASS_MS = 60
const MAX_REVERTS = 3
const MAX_PASSES = 3
const QUIET_PASSES = 5
const LONGEST_PAUSE_MS = 300_000

export async function pass(subject: Subject): Promise<void> {
  const [met, written] = [subject.trouble.met.length, subject.trouble.written.length]
  const { standing, wanted, figures } = subject
  const contested = await isContested(subject)
  const report = await subject.daemon.pass()
  figures.passes++
  if (subject.trouble.met.length === met) {
    const expected = standing === wanted ? ['clean'] : OUTCOMES[`${contested}`]
    // One that was under way already may have come first, as where its timer was due.
    const is_done = report?.outcome === 'clean' && subject.trouble.written.length > written
    if (report === null || !(is_done || expected.includes(report.outcome)))
      throw new Error(`a pass over ${standing} was ${told(report)}, not ${expected.join(' or ')}`)
    const is_left = report.outcome === 'refused'
    if (is_left) figures.contested++
    if (subject.standing !== (is_left ? standing : wanted))
      throw new Error(`${subject.standing} stands there after a pass that was ${told(report)}`)
  }
  await subject.check([subject.model])
}

/** By whether what stands there is contested. */
const OUTCOMES: Readonly<Record<`${boolean | 'unsure'}`, readonly string[]>> = {
  true: ['refused'],
  false: ['repaired'],
  unsure: ['refused', 'repaired'],
}

/** Within three passes the file is what is released and no record is in error. What is contested waits to be asked for. */
export async function converge(subject: Subject): Promise<void> {
  subject.figures.converged(await passesUntilGood(subject))
  if (subject.standing !== subject.wanted)
    throw new Error(`${subject.standing} stands there, not ${subject.wanted}`)
  for (let tries = 0; inError(subject) > 0 && tries < MAX_PASSES; tries++) await retried(subject)
  const lame = inError(subject)
  if (lame > 0) throw new Error(`${lame} records are in error though all is well`)
}

function inError({ model: { records, released } }: Subject): number {
  // Of a new name that went back the record says so until it is deployed anew.
  const isBack = (id: number) => released.get(id)?.fields.domain !== records.get(id)?.fields.domain
  return [...records].filter(([id, { status }]) => status === 'error' && !isBack(id)).length
}

/** A fault may have met another component than the file's: that one comes when its own pause is over. */
async function retried(subject: Subject): Promise<void> {
  subject.clock.forward(LONGEST_PAUSE_MS)
  await subject.daemon.pass()
  await subject.check([subject.model])
}

/** Neither the file nor the store is written when there is nothing to do. */
export async function stayQuiet(subject: Subject): Promise<void> {
  const { trouble, daemon } = subject
  const [written, transactions] = [trouble.written.length, trouble.transactions]
  for (let count = 0; count < QUIET_PASSES; count++) await daemon.pass()
  await subject.settled()
  if (trouble.written.length > written) throw new Error('a quiet pass wrote the file')
  if (trouble.transactions > transactions) throw new Error('a quiet pass wrote to the store')
}

async function passesUntilGood(subject: Subject): Promise<number> {
  for (let passes = 1; ; passes++) {
    const contested = await isContested(subject)
    const report = contested !== false ? await subject.daemon.askedPass() : await subject.daemon.pass()
    await subject.check([subject.model])
    if (report !== null && isGood(report)) return passes
    if (passes === MAX_PASSES) throw new Error(`not converged after ${passes} passes: ${told(report)}`)
  }
}

/**
 * By the rule: the same thing was put back three times within an hour, and no hour without another change of it has passed
 * before the pass that comes now. What lets in more than
 * what is released is put back each time.
 */
async function isContested(subject: Subject): Promise<boolean | 'unsure'> {
  const { standing, wanted, opens, daemon, clock } = subject
  const fingerprint = FINGERPRINTS[standing] ?? standing
  const reverts = await daemon.store.revertsSince('routes', 0)
  const same = reverts.filter(({ observed }) => [fingerprint, `left ${fingerprint}`].includes(observed))
  // Back from now, as long as no hour lies between two of them.
  let since = clock.now() + A_PASS_MS
  const together = same.toReversed().filter(({ at }) => {
    const belongs = since - at < AN_HOUR_MS
    if (belongs) since = at
    return belongs
  })
  const times = together.filter(({ observed }) => observed === fingerprint).map(({ at }) => at)
  const is_fight = times.some((at, i) => at - (times[i + MAX_REVERTS - 1] ?? -Infinity) < AN_HOUR_MS)
  if (standing === wanted || !is_fight || opens === true) return false
  return opens === 'unsure' ? 'unsure' : true
}

/** What opens nothing beside a file. */
const FINGERPRINTS: Readonly<Record<string, string>> = { nothing: 'absent' }

const told = (report: Report | null): string =>
  report === null ? 'broken off' : `${report.outcome} (${report.failure?.message ?? 'no trouble'})`
