/** The façade of this process as a command calls it: without a socket, with the main key. */
import { type Api, type ApiRequest, parsed } from './cli/api.ts'
import type { App } from './http/app.ts'
import type { Secret } from './kernel/secret.ts'

const JSON_BODY = { 'content-type': 'application/json' }

export const callOf =
  ({ app, key }: { readonly app: App; readonly key: Secret }): Api['call'] =>
  async ({ method, path, body, headers }: ApiRequest) => {
    const sent = {
      method,
      headers: {
        ...headers,
        'x-api-key': key.reveal(),
        ...(body === undefined ? {} : JSON_BODY),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    const answer = await app.request(path, sent, { peer: '127.0.0.1' })
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: parsed(await answer.text()),
    }
  }
