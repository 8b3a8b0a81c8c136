/** What a service manager hears of the daemon, on the socket that systemd would hand to it. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { serviceManager } from '../../src/service/notify.ts'
import { start } from '../flows/command.ts'
import { describePeers } from '../peers/peers.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

/** Node has no sockets of this kind; the interpreter that Debian always has does. */
const LISTEN = `
use IO::Socket::UNIX;
my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $ARGV[0]) or die "$!";
$| = 1;
print "open\\n";
while (defined($socket->recv(my $text, 4096))) { print "$text\\n" if length $text }
`

async function listening() {
  const folder = newFolder('notify')
  const path = join(folder, 'notify')
  const child = spawn('perl', ['-e', LISTEN, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let heard = ''
  child.stdout.on('data', (bytes: Buffer) => (heard += bytes.toString()))
  await expect.poll(() => heard, { timeout: 10_000 }).toContain('open\n')
  return {
    path,
    folder,
    heard: () => heard,
    [Symbol.dispose]() {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const manager = (env: NodeJS.ProcessEnv) => serviceManager({ env, log: silentLog, clock: systemClock })
const soon = { timeout: 15_000 }

describePeers(['systemd-notify'], 'a service manager', () => {
  it('hears that the daemon is ready, then that it is alive, and nothing while it is stuck', async () => {
    using socket = await listening()
    const env = { PATH: process.env['PATH'], NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '300000' }
    const told = manager(env)
    expect(env).toEqual({ PATH: process.env['PATH'] })
    await told.ready('Serving http://127.0.0.1:8080')
    await expect.poll(socket.heard, soon).toContain('READY=1')
    expect(socket.heard()).toContain('STATUS=Serving http://127.0.0.1:8080')
    let why: string | null = 'routes is overdue'
    let asked = 0
    const watched = told.watch(() => (asked++, why))
    await expect.poll(() => asked, soon).toBeGreaterThan(3)
    expect(socket.heard()).not.toContain('WATCHDOG=1')
    why = null
    await expect.poll(() => socket.heard().split('WATCHDOG=1').length, soon).toBeGreaterThan(3)
    watched.close()
    await told.stopping()
    await expect.poll(socket.heard, soon).toContain('STOPPING=1')
  })

  it('of another process hears nothing', async () => {
    using socket = await listening()
    const told = manager({ NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '300000', WATCHDOG_PID: '1' })
    let asked = 0
    told.watch(() => (asked++, null)).close()
    expect(asked).toBe(0)
    expect(socket.heard()).not.toContain('WATCHDOG=1')
  })

  itInDepth('hears of a whole life of the daemon', { timeout: 60_000 }, async () => {
    using socket = await listening()
    const daemon = start(['serve'], {
      PLUMBLINE_DATA_DIR: join(socket.folder, 'data'),
      PLUMBLINE_LISTEN: '127.0.0.1:0',
      NOTIFY_SOCKET: socket.path,
      WATCHDOG_USEC: '3000000',
    })
    await expect.poll(socket.heard, { timeout: 30_000 }).toMatch(/READY=1[\s\S]*WATCHDOG=1/)
    await daemon.stop()
    expect(socket.heard()).toMatch(/STOPPING=1/)
  })
})

it('without a manager nobody is told, and nothing fails', async () => {
  const told = manager({})
  await told.ready('Serving')
  told.watch(() => null).close()
  await told.stopping()
})
