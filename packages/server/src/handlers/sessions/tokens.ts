import { TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'

export const listTokens: Handler<Routes['listTokens']> = async ({ credentials }) => ({
  status: 200,
  body: { tokens: credentials.list().map((listed) => ({ ...listed })) },
})

export const createToken: Handler<Routes['createToken']> = async ({ credentials, log }, { body, actor }) => {
  const { name, scope } = body
  const token = await credentials.createToken({ name, scope })
  log({ level: 'info', message: 'token made', name, scope, by: actor.name })
  return { status: 201, headers: { 'cache-control': 'no-store' }, body: { name, scope, token } }
}

export const revokeToken: Handler<Routes['revokeToken']> = async ({ credentials, log }, { params, actor }) => {
  const { name } = params
  if (!(await credentials.revoke(name))) {
    throw new TreelineError('token_not_found', `There is no token ${name}. GET the tokens to see which there are.`)
  }
  log({ level: 'info', message: 'token revoked', name, by: actor.name })
  return { status: 204 }
}
