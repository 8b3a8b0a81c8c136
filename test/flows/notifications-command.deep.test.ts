/** `plumbline notifications` in a real process: what is wrong, who is told, and an exit code that says whether a test arrived. */
import { expect, it } from 'vitest'
import { PATH_KEY, webhookReceiver } from '../fakes/notify/webhook-receiver.ts'
import { run, start } from './command.ts'
import { newFolder } from '../kit/new-folder.ts'

it('lists, and tests every channel through a running daemon', async () => {
  const directory = newFolder('notify')
  const receiver = await webhookReceiver()
  const env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_NOTIFY_WEBHOOK: receiver.url,
  }
  try {
    const daemon = start(['serve'], env)
    await daemon.saw('listening')
    expect(await run(['notifications'], env)).toMatchObject({
      code: 0,
      out: 'Nothing has been wrong for 10 minutes or longer.\n',
    })
    const good = await run(['notifications', 'test'], env)
    expect(good.code, good.err).toBe(0)
    expect(good.out).toMatch(/^webhook-[0-9a-f]{8} \(127\.0\.0\.1:\d+\): sent\n$/)
    receiver.misbehave({ status: 403 })
    const bad = await run(['notifications', 'test'], env)
    expect(bad).toMatchObject({ code: 1 })
    expect(bad.out).toContain('answered 403')
    const json = await run(['notifications', '--json'], env)
    expect(JSON.parse(json.out)).toMatchObject({ configured: true, open: [], owed: [] })
    expect(await run(['notifications', 'now'], env)).toMatchObject({ code: 64 })
    const { out, err } = await daemon.stop()
    for (const text of [good.out, bad.out, json.out, out, err]) expect(text).not.toContain(PATH_KEY)
    expect(receiver.posted.map(({ message }) => message.verdict)).toEqual(['test', 'test'])
  } finally {
    await receiver.close()
  }
})
