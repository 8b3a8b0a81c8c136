/** How a fake's rules say no: with the answer that the real one would send. */
import type { Answer } from './fake-server.ts'

export class Refused extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`)
    this.answer = answer
  }
}

export const orRefused = (work: () => Answer): Answer => {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refused) return error.answer
    throw error
  }
}
