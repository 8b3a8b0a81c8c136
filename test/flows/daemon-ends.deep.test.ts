/** A daemon that ends between the plan and the answer to it, or hangs: the command says so, and nothing was changed. */
import { expect, it } from 'vitest'
import { run, start } from './command.ts'
import { newFolder } from '../kit/new-folder.ts'

it('amid a plan is told in one sentence, and nothing was done', async () => {
  const directory = newFolder('daemon-ends')
  const env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_PUBLIC_IP: '203.0.113.7',
    PLUMBLINE_DNS_PROVIDER: 'zonefile',
  }
  const daemon = start(['serve'], env)
  try {
    await daemon.saw('listening')
    const ran = await run(['add', 'app.example.com', 'http://10.0.0.5:80'], env, {
      types: async () => {
        await daemon.stop()
        return 'y'
      },
    })
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('Add and deploy app.example.com? [y/N]')
    expect(ran.err.trimEnd().split('\n').at(-1)).toMatch(
      /^plumbline: No answer from http:\/\/127\.0\.0\.1:\d+: /,
    )
    expect((await run(['domains', '-q'], env)).out).toBe('')
  } finally {
    await daemon.stop()
  }
})

it('that hangs is given up, and asked again once it goes on', async () => {
  const directory = newFolder('daemon-hangs')
  const env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  const daemon = start(['serve'], env)
  try {
    await daemon.saw('"listening"')
    daemon.signal('SIGSTOP')
    const ran = await run(['domains', '-q'], env)
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toMatch(/^plumbline: No answer: the daemon at http:\S+ has not answered for 10 s/)
    daemon.signal('SIGCONT')
    expect(await run(['domains', '-q'], env)).toMatchObject({ code: 0 })
  } finally {
    daemon.signal('SIGCONT')
    await daemon.stop()
  }
})
