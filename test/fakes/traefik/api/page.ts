/** Lists of the API: pages from 1, a header that names the next one or 1, an error past the end; filters before that. */
import type { Answer, Asked } from '../../dns/fake-server.ts'

interface Listed {
  readonly name: string
  readonly [key: string]: unknown
}

export function page({ query }: Pick<Asked, 'query'>, all: readonly Listed[]): Answer {
  const found = filtered(query, all)
  const per_page = Number(query.get('per_page') ?? 100)
  const number = Number(query.get('page') ?? 1)
  const bad = (message: string): Answer => ({ status: 400, json: { message } })
  if (!Number.isInteger(number) || number < 1) return bad(`invalid request: page: ${query.get('page')}`)
  if (!Number.isInteger(per_page) || per_page < 1)
    return bad(`invalid request: per_page: ${query.get('per_page')}`)
  const start = (number - 1) * per_page
  if (start !== 0 && start >= found.length)
    return bad(`invalid request: page: ${number}, per_page: ${per_page}`)
  const is_last = start + per_page >= found.length
  return {
    status: 200,
    headers: { 'x-next-page': String(is_last ? 1 : number + 1) },
    json: found.slice(start, start + per_page),
  }
}

function filtered(query: URLSearchParams, all: readonly Listed[]): readonly Listed[] {
  const search = (query.get('search') ?? '').toLowerCase()
  const wanted = (key: string): string => query.get(key) ?? ''
  const isAny = (key: string, value: unknown): boolean => wanted(key) === '' || wanted(key) === value
  return all.filter(
    (one) =>
      (search === '' || JSON.stringify([one.name, one['rule']]).toLowerCase().includes(search)) &&
      isAny('status', one['status']) &&
      isAny('serviceName', one['service']) &&
      (wanted('middlewareName') === '' ||
        ((one['middlewares'] as readonly string[] | undefined) ?? []).includes(wanted('middlewareName'))),
  )
}
