/** The law of the readers: what the model answers from a file is what the real server answers that was started with it. */
import { expect } from 'vitest'
import { MANAGED_TYPES, type ManagedType } from '../../../../src/model/network/dns.ts'
import { resolverAnswers } from '../../../../src/model/resolver.ts'
import type { ResolverAnswer } from '../../../../src/model/resolver/view.ts'
import type { ResolverConfig } from '../../../../src/features/dns/resolver/port.ts'
import { digMany, type DigReply } from './dig-many.ts'

/** There is no upstream here, and a server without one refuses. */
const STATUS: Readonly<Record<ResolverAnswer['kind'], string>> = {
  addresses: 'NOERROR',
  alias: 'NOERROR',
  nodata: 'NOERROR',
  nxdomain: 'NXDOMAIN',
  refused: 'REFUSED',
  forwarded: 'REFUSED',
  dropped: 'none',
}

export async function expectSameAnswers(
  config: ResolverConfig,
  port: number,
  names: readonly string[],
): Promise<void> {
  const read = await config.read(AbortSignal.timeout(60_000))
  if (!read.ok) throw new Error(read.detail)
  expect(read.gaps).toEqual([])
  const answerOf = resolverAnswers(read.view)
  const questions = names.flatMap((name) => MANAGED_TYPES.map((type): [string, ManagedType] => [name, type]))
  const replies = await digMany(port, questions)
  const shown = (what: readonly DigReply[]) =>
    questions.map(([name, type], at) => ({ name, type, ...what[at]! }))
  expect(shown(questions.map(([name, type]) => asDig(answerOf(name, type))))).toEqual(shown(replies))
}

const asDig = (answer: ResolverAnswer): DigReply => ({
  status: STATUS[answer.kind],
  values: answer.kind === 'addresses' ? [...answer.values].sort() : [],
  via: 'via' in answer ? answer.via : [],
})
