/** Reading a server-sent event stream as a browser does: by fields, with comments dropped and the last id remembered. */

export interface HeardEvent {
  /** Null where the event has no id of its own. */
  readonly id: number | null
  readonly kind: string
  readonly data: Record<string, unknown>
}

export interface Listener {
  readonly heard: readonly HeardEvent[]
  /** How the stream introduced itself; null before that. */
  readonly hello: () => Record<string, unknown> | null
  /** What a browser would send as Last-Event-ID. */
  readonly last_id: () => string
  readonly comments: () => number
  /** Resolves with what was heard when that is enough, or when the stream has ended. */
  until(enough: (heard: readonly HeardEvent[]) => boolean): Promise<readonly HeardEvent[]>
  /** Resolves when the stream has ended; true when it was ended properly. */
  readonly ended: Promise<boolean>
  leave(): Promise<void>
}

export function listen(body: ReadableStream<Uint8Array>): Listener {
  const reader = body.getReader()
  const parser = streamParser()
  const watchers = new Set<() => void>()
  const notice = () => watchers.forEach((watcher) => watcher())
  const ended = (async () => {
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return true
        parser.take(Buffer.from(value).toString())
        notice()
      }
    } catch {
      return false
    }
  })()
  return {
    heard: parser.heard,
    hello: () => parser.hello,
    last_id: () => parser.last_id,
    comments: () => parser.comments,
    ended,
    until: async (enough) => {
      const enoughHeard = new Promise<void>((resolve) => {
        const look = () => void (enough(parser.heard) && resolve())
        watchers.add(look)
        look()
      })
      await Promise.race([enoughHeard, ended])
      return parser.heard
    },
    // A stream that broke has nothing left to leave.
    leave: () => reader.cancel().catch(() => undefined),
  }
}

/** Takes text in any pieces. */
function streamParser() {
  const heard: HeardEvent[] = []
  let rest = ''
  const parser = {
    heard,
    last_id: '',
    hello: null as Record<string, unknown> | null,
    comments: 0,
    take(text: string) {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) takeBlock(block)
    },
  }
  function takeBlock(block: string) {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':')
      if (colon === 0) parser.comments++
      else fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart())
    }
    const id = fields.get('id')
    if (id !== undefined) parser.last_id = id
    const data = fields.get('data')
    if (data === undefined) return
    if (fields.get('event') === 'hello') {
      parser.hello = JSON.parse(data) as Record<string, unknown>
      return
    }
    heard.push({
      id: id === undefined ? null : Number(id),
      kind: fields.get('event') ?? 'message',
      data: JSON.parse(data) as Record<string, unknown>,
    })
  }
  return parser
}
