/** A plan of one edit among 1,000 domains, and what a full pass costs when there is nothing to do. */
import { type FilledHouse, must, withFilledHouse } from './filled-house.ts'
import { ms, type Row, timed } from './measure.ts'

const ROUNDS = 60

export const planRows = (): Promise<Row[]> =>
  withFilledHouse(async (filled) => [await plans(filled), await idlePasses(filled)])

async function plans({ client }: FilledHouse): Promise<Row> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await must(client, 'PUT', '/api/domains/500', { backend_port: 9000 + round })
    times.push(await timed(() => must(client, 'POST', '/api/plans', {})))
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS * 0.95)]!
  return {
    goal: 'plan of one edit among 1,000 domains, p95',
    figure: `${ms(p95)} ms`,
    limit: 'under 50 ms',
    ok: p95 < 50,
  }
}

async function idlePasses({ client, house }: FilledHouse): Promise<Row> {
  await must(client, 'POST', '/api/deploy-all')
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) await house.engine.converge('open')
  const { user, system } = process.cpuUsage(before)
  const cpu_ms = (user + system) / 1000 / ROUNDS
  return {
    goal: 'full pass over 1,000 domains with nothing to do, CPU',
    figure: `${ms(cpu_ms)} ms`,
    limit: 'under 20 ms',
    ok: cpu_ms < 20,
  }
}
