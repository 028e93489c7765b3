import { type ReplyOf, type Routes, routes } from '@treeline/protocol'
import { useEffect } from 'react'
import type { Connection } from '../server/connection.ts'
import { tellProblem } from '../shell/notices.ts'
import { createStore, useStore, type WritableStore } from '../state/store.ts'

export type ListedModel = ReplyOf<Routes['getModels']>['models'][number]

const lists = new WeakMap<Connection, WritableStore<readonly ListedModel[] | undefined>>()

function listOf(connection: Connection): WritableStore<readonly ListedModel[] | undefined> {
  const list = lists.get(connection) ?? createStore<readonly ListedModel[] | undefined>(undefined)
  lists.set(connection, list)
  return list
}

/** Who can be asked; read once, and again whenever somebody looks: keys may have been set meanwhile. */
export function useModels(connection: Connection, isLooking: boolean): readonly ListedModel[] | undefined {
  const list = listOf(connection)
  useEffect(() => {
    if (!isLooking && list.get() !== undefined) return
    connection.call(routes.getModels, {}).then(({ models }) => list.set(models), tellProblem)
  }, [connection, list, isLooking])
  return useStore(list)
}
