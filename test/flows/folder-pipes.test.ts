/** A pipe behind a link in the watched folder: to open it the plain way would hold one of the threads that all file work shares. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { createActive, openTestHouse } from './test-house.ts'

it('pipes behind links hold nobody up, and are told', async () => {
  await using at = await openTestHouse()
  const pipes = [0, 1, 2, 3, 4].map((n) => join(at.directory, `pipe-${n}`))
  try {
    const app = await createActive(at.call)
    for (const [n, pipe] of pipes.entries()) {
      execFileSync('mkfifo', [pipe])
      symlinkSync(pipe, join(dirname(at.house.routes_path), `z${n}.yml`))
    }
    const answers = await Promise.all(pipes.map(() => at.call('GET', '/api/domains/drift')))
    expect(answers.map(({ status }) => status)).toEqual(pipes.map(() => 200))
    expect(JSON.stringify(answers[0]!.body)).toContain('z0.yml')
    expect((await at.call('POST', `/api/domains/${app}/disable`)).status).toBe(200)
    expect(at.routes()).not.toContain('app.example.com')
  } finally {
    // Lets go whoever was caught after all.
    for (const pipe of pipes.flatMap((one) => [one, one]))
      try {
        closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
      } catch {
        // Nobody reads it.
      }
  }
})
