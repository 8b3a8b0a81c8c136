/** The environment of programs that a person works with: without our settings, so without our secrets. */
export const personEnv = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'API_KEY' && !/^PLUMBLINE_/i.test(name)))
