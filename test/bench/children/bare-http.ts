/**
 * What a server costs that does nothing of its own: it reads a body as JSON where there is one, and answers the bytes it was given.
 * `node bare-http.ts PORT BYTES node|hono`.
 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createServer } from 'node:http'

const [port, bytes, kind] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]]
const answer = JSON.stringify({ text: 'x'.repeat(Math.max(0, bytes - 11)) })
const hostname = '127.0.0.1'

if (kind === 'hono') {
  const app = new Hono()
  app.get('*', (c) => c.body(answer, 200, { 'content-type': 'application/json' }))
  app.post('*', async (c) => {
    await c.req.json()
    return c.body(answer, 201, { 'content-type': 'application/json' })
  })
  serve({ fetch: app.fetch, port, hostname })
} else {
  createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.once('end', () => {
      if (body !== '') JSON.parse(body)
      response
        .writeHead(body === '' ? 200 : 201, {
          'content-type': 'application/json',
          'content-length': answer.length,
        })
        .end(answer)
    })
  }).listen(port, hostname)
}
