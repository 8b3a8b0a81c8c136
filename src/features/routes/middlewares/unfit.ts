/** Which kinds of middleware harm which kinds of service, whoever wrote them. */
import type { ServiceType } from '../../../model/domain/record.ts'
import type { PlainMap } from '../render/settings.ts'

export type Unfit = Partial<Record<ServiceType, string>>

const HELD_BACK = 'holds messages back until a body is complete, which a websocket has none of'

const BY_TYPE: Readonly<Record<string, Unfit>> = {
  buffering: { websocket: HELD_BACK },
  compress: {
    websocket: 'holds messages back until a compressed block is full',
    api: 'holds back answers that an API streams; let the backend compress what is worth it',
  },
  retry: { websocket: 'repeats the opening of a connection that may already have had effects' },
}

/** Reasons as the end of a sentence that starts with the middleware's name. */
export function unfitByKind(type: string, config: PlainMap): Unfit {
  if (type === 'forwardAuth' && config['forwardBody'] === true) return { websocket: HELD_BACK }
  return BY_TYPE[type] ?? {}
}
