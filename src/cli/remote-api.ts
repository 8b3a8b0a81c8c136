/** A running daemon's API over HTTP. */
import { request as send } from 'undici'
import { Failure } from '../kernel/failure.ts'
import type { Secret } from '../kernel/secret.ts'
import { type Api, type ApiAnswer, type ApiRequest, parsed } from './api.ts'

const ANSWER_WITHIN_MS = 120_000

/** @param base `http://127.0.0.1:8080`, without a path. */
export function remoteApi(base: string, key: Secret | null): Api {
  return {
    where: base,
    call: (request) => call(base, key, request),
    close: async () => undefined,
  }
}

async function call(
  base: string,
  key: Secret | null,
  { method, path, body }: ApiRequest,
): Promise<ApiAnswer> {
  try {
    const answer = await send(new URL(path, base), {
      method,
      headers: {
        accept: 'application/json',
        ...(key === null ? {} : { 'x-api-key': key.reveal() }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    return {
      status: answer.statusCode,
      headers: flat(answer.headers),
      body: parsed(await answer.body.text()),
    }
  } catch (error) {
    throw new Failure('component_unavailable', `No answer from ${base}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
