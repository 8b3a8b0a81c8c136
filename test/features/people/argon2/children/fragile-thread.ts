/** A thread that does what it is asked, which is mostly to end badly. */
import { existsSync, rmSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

parentPort?.on('message', (question: string) => {
  const [word = '', path = ''] = question.split(' ')
  if (word === 'exit') process.exit(3)
  if (word === 'throw') throw new Error('no memory is left')
  if (word === 'hang') return
  if (word === 'exit-while' && existsSync(path)) {
    rmSync(path)
    process.exit(3)
  }
  if (word === 'later-exit') setImmediate(() => process.exit(3))
  parentPort?.postMessage(word === 'environment' ? JSON.stringify(process.env) : `heard ${word}`)
})
