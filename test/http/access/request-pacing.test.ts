/** The bytes of a connection come to its parser a request a turn, and none while too many answers are owed. */
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { paceRequests } from '../../../src/http/access/request-pacing.ts'

/** Whatever waits for the next turn of the event loop is done then. */
const turn = () => new Promise((resolve) => setImmediate(resolve))
const turns = async (most: number) => {
  for (let i = 0; i < most; i++) await turn()
}

const END = '\r\n\r\n'
const A = `A${END}`
const B = `B${END}`
const C = `C${END}`

/**
 * A connection that nobody is at the other end of, with a parser that owes an answer for each head.
 * @param onHead what the parser does with a head
 */
function connection(most: number, onHead: (socket: Socket, head: string) => void = () => undefined) {
  const socket = new Socket().setMaxListeners(0)
  const handed: string[] = []
  const state = { owed: 0, resumed: 0 }
  socket.on('data', (bytes) => {
    handed.push(String(bytes))
    if (!/^[A-Z]/.test(String(bytes)) || !String(bytes).includes(END)) return
    state.owed++
    onHead(socket, String(bytes))
  })
  const settled = paceRequests(socket, { owed: () => state.owed, most })
  socket.on('resume', () => state.resumed++)
  const answer = () => {
    state.owed--
    settled()
  }
  return { socket, handed, state, settled, answer, say: (text: string) => void socket.push(text) }
}

describe('requests that came together', () => {
  it('are handed on one after another, each in a turn of its own', async () => {
    const { handed, say } = connection(8)
    await turn()
    say(A + B + C)
    expect(handed).toEqual([A])
    await turn()
    expect(handed).toEqual([A, B])
    await turn()
    expect(handed).toEqual([A, B, C])
  })

  it('are no more in a turn where several answers are done in it', async () => {
    const { handed, say, settled } = connection(8)
    await turn()
    say(A + B + C)
    for (let i = 0; i < 5; i++) settled()
    expect(handed).toEqual([A])
    await turn()
    expect(handed).toEqual([A, B])
  })

  it('are cut behind the head, also where what goes before them is empty', async () => {
    const { handed, say } = connection(8)
    await turn()
    say(END + A + B)
    expect(handed).toEqual([END, A])
    await turn()
    expect(handed).toEqual([END, A, B])
  })
})

it('a body goes on without waiting for turns, however it is cut', async () => {
  const { handed, say, socket } = connection(8)
  await turn()
  say(A)
  expect(socket.isPaused()).toBe(false)
  say(`{${END}"x":1${END}}`)
  say('the rest')
  expect(handed).toEqual([A, `{${END}`, `"x":1${END}`, '}', 'the rest'])
  expect(socket.isPaused()).toBe(false)
})

it('part of a head is handed on as it came', async () => {
  const { handed, say } = connection(8)
  await turn()
  say('A\r\n')
  say('\r')
  say(`\n${B}`)
  expect(handed).toEqual(['A\r\n', '\r', '\n' + B])
})

describe('a client that is owed as many answers as it may be', () => {
  it('is not read until one of them is done', async () => {
    const { handed, say, answer, socket } = connection(2)
    await turn()
    say(A + B + C)
    await turns(3)
    expect([handed, socket.isPaused()]).toEqual([[A, B], true])
    answer()
    await turn()
    expect(handed).toEqual([A, B, C])
  })

  it('is not read either where nothing is left of what it said', async () => {
    const { say, answer, socket, handed } = connection(1)
    await turn()
    say(A)
    expect(socket.isPaused()).toBe(true)
    await turn()
    expect(socket.isPaused()).toBe(true)
    answer()
    await turn()
    expect(socket.isPaused()).toBe(false)
    say(B)
    expect(handed).toEqual([A, B])
  })

  it('wakes nobody with an answer that leaves as many', async () => {
    const { say, settled, state } = connection(1)
    await turn()
    say(A + B)
    const before = state.resumed
    settled()
    await turns(2)
    expect(state.resumed).toBe(before)
  })

  it('is heard in the order in which it spoke, also where its bytes are read for another reason', async () => {
    const { say, socket, handed, answer } = connection(1)
    await turn()
    say(A + B)
    socket.resume()
    say(C)
    await turn()
    expect([handed, socket.isPaused()]).toEqual([[A], true])
    for (let i = 0; i < 2; i++) {
      answer()
      await turn()
    }
    expect(handed).toEqual([A, B, C])
  })
})

describe('what the parser has paused itself, as for a body that nobody takes', () => {
  it('is resumed by no answer', async () => {
    const { socket, settled, handed, say } = connection(8)
    await turn()
    say(A + B)
    await turn()
    socket.pause()
    settled()
    await turns(2)
    expect([socket.isPaused(), handed]).toEqual([true, [A, B]])
  })

  it('is resumed by no answer at the very start', async () => {
    const socket = new Socket().on('data', () => undefined)
    await turn()
    const settled = paceRequests(socket, { owed: () => 0, most: 8 })
    socket.pause()
    settled()
    await turns(2)
    expect(socket.isPaused()).toBe(true)
  })

  it('holds the requests behind it back, which go on with it', async () => {
    const { socket, handed, say, settled } = connection(8, (paused) => paused.pause())
    await turn()
    say(A + B)
    settled()
    await turns(3)
    expect([socket.isPaused(), handed]).toEqual([true, [A]])
    socket.resume()
    await turn()
    expect(handed).toEqual([A, B])
  })
})

it('what follows the last answer is not handed on, and the end of the connection is still heard', async () => {
  const { socket, handed, say } = connection(8, (ended) => ended.end())
  await turn()
  say(A + B)
  await turns(2)
  say(C)
  await turns(2)
  expect([handed, socket.isPaused()]).toEqual([[A], false])
})

it.each([0, 2])('a connection with %i parsers is none that it knows', (most) => {
  const socket = new Socket()
  for (let i = 0; i < most; i++) socket.on('data', () => undefined)
  expect(() => paceRequests(socket, { owed: () => 0, most: 8 })).toThrow(/in another way/)
})
