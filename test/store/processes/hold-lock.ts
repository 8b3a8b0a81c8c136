/** Takes the lock of the directory that it is given, says how that went on one line, and holds it until it is told to go. */
import { holdLock } from '../../../src/store/files/lock.ts'
import { Failure } from '../../../src/kernel/failure.ts'

const [directory, listen] = process.argv.slice(2)
const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`)

try {
  const lock = holdLock(directory!)
  if (listen !== undefined) lock.announce(listen)
  say({ held: true, pid: process.pid })
  process.stdin.once('data', () => {
    lock.release()
    process.stdin.destroy()
  })
} catch (error) {
  if (!(error instanceof Failure)) throw error
  say({ held: false, code: error.code, message: error.message })
}
