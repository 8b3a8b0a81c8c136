/** Passes that nobody asks for: what each must come to, how few bring peace, and that peace is quiet. */
import { isGood, type Report } from '../../src/model/report.ts'
import type { Subject } from './subject.ts'

const AN_HOUR_MS = 3_600_000
const A_PASS_MS = 60
const MOST_REVERTS = 3
const MOST_PASSES = 3
const QUIET_PASSES = 5

export async function pass(subject: Subject): Promise<void> {
  const met = subject.trouble.met.length
  const { standing, wanted, figures } = subject
  const contested = await isContested(subject)
  const report = await subject.daemon.pass()
  figures.passes++
  if (subject.trouble.met.length === met) {
    const expected = standing === wanted ? 'clean' : contested ? 'refused' : 'repaired'
    if (report?.outcome !== expected)
      throw new Error(`a pass over ${standing} was ${told(report)}, not ${expected}`)
    if (contested) figures.contested++
    if (subject.standing !== (contested ? standing : wanted))
      throw new Error(`${subject.standing} stands there after a pass that was ${told(report)}`)
  }
  await subject.check([subject.model])
}

/** Within three passes the file is what is released and no record is in error. What is contested waits to be asked for. */
export async function converge(subject: Subject): Promise<void> {
  subject.figures.converged(await passesUntilGood(subject))
  if (subject.standing !== subject.wanted)
    throw new Error(`${subject.standing} stands there, not ${subject.wanted}`)
  const lame = [...subject.model.records.values()].filter(({ status }) => status === 'error')
  if (lame.length > 0) throw new Error(`${lame.length} records are in error though all is well`)
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
    const report = contested ? await subject.daemon.askedPass() : await subject.daemon.pass()
    await subject.check([subject.model])
    if (report !== null && isGood(report)) return passes
    if (passes === MOST_PASSES) throw new Error(`not converged after ${passes} passes: ${told(report)}`)
  }
}

/** By the rule: the same thing was put back three times within the hour before the pass that comes now. */
async function isContested({ standing, wanted, daemon, clock }: Subject): Promise<boolean> {
  const reverts = await daemon.store.revertsSince('routes', clock.now() + A_PASS_MS - AN_HOUR_MS)
  const same = reverts.filter(({ observed }) => observed === (FINGERPRINTS[standing] ?? standing))
  return standing !== wanted && same.length >= MOST_REVERTS
}

const FINGERPRINTS: Readonly<Record<string, string>> = {
  nothing: 'absent',
  'a directory': 'intruder:directory',
  'a symlink': 'intruder:symlink',
}

const told = (report: Report | null): string =>
  report === null ? 'broken off' : `${report.outcome} (${report.failure?.message ?? 'no trouble'})`
