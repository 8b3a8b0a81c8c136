/** `plumbline export` writes every record, however many pages the list has. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { run } from './command.ts'
import { create, openTestHouse } from './test-house.ts'

it('goes on with the next page until there is none', async () => {
  await using at = await openTestHouse()
  const names = ['a.example.com', 'b.example.com', 'c.example.com']
  for (const domain of names) await create(at.call, { domain })
  // The API itself, with one record a page.
  const pages = createServer((request, response) => {
    const path = request.url!.replace('limit=10000', 'limit=1')
    void at.call('GET', path).then(({ status, headers, body }) => {
      response.writeHead(status, Object.fromEntries(headers)).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => pages.once('listening', resolve))
  try {
    const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    const ran = await run(['export', '--url', url], { PLUMBLINE_DATA_DIR: at.directory })
    expect(ran, ran.err).toMatchObject({ code: 0 })
    for (const name of names) expect(ran.out).toContain(name)
  } finally {
    pages.closeAllConnections()
    await new Promise((resolve) => pages.close(resolve))
  }
})
