/** One edited domain among 1,000: the whole deploy call against the bare atomic write of the same bytes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../src/io/files/write-atomically.ts'
import { type FilledHouse, must, withFilledHouse } from './filled-house.ts'
import { median, ms, type Row, timed } from './measure.ts'

const ROUNDS = 41

export const deployRows = (): Promise<Row[]> => withFilledHouse(async (filled) => [await compare(filled)])

async function compare({ house, client, directory }: FilledHouse): Promise<Row> {
  const bare = join(directory, 'bare', 'routes.yml')
  const ratios: number[] = []
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await must(client, 'PUT', '/api/domains/500', { backend_port: 9000 + round })
    const deploy = await timed(() => must(client, 'POST', '/api/domains/500/deploy'))
    const bytes = readFileSync(house.routes_path)
    const write = await timed(() => writeAtomically(bare, [bytes], { mode: 0o644, watched: true }))
    ours.push(deploy)
    theirs.push(write)
    ratios.push(deploy / write)
  }
  const ratio = median(ratios)
  return {
    goal: 'one edited domain of 1,000: deploy call against the bare atomic write of the bytes',
    figure: `${ratio.toFixed(1)}x (${ms(median(ours))} against ${ms(median(theirs))} ms)`,
    limit: 'at most 4x',
    ok: ratio <= 4,
  }
}
