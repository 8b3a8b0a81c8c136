/** The way back from a pattern of open paths to the paths, so that people read paths. */
import { expect, it } from 'vitest'
import { openPathsOf, openPathsPattern } from '../../../src/model/access/open-paths.ts'

it('the paths that a pattern of ours names are read out of it, and any other pattern stays as it is', () => {
  for (const paths of [['/'], ['/healthz'], ['/a.b', '/public/', '/.well-known/x']])
    expect(openPathsOf(openPathsPattern(paths))).toEqual(paths)
  for (const other of ['^/api.*$', '/api', '^/api(/.*)?$', '', '^/healthz$|^/$'])
    expect(openPathsOf(other)).toEqual([other])
})
