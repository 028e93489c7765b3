import { z } from 'zod'
import { route } from './route.ts'

const code = z.string().max(200)

/**
 * What stands beside the table: the way in, and what those ask for who keep the server running or write a client for it.
 * The web app's pages have no row here; they need the scope `read`.
 */
export const doorRoutes = {
  openLogin: route({
    method: 'GET',
    path: '/login',
    scope: 'none',
    summary: 'Exchanges the one-time code of a link for a cookie; whoever may be no person is asked to press a button.',
    query: z.object({ code: code.optional() }),
    replies: { 200: 'page', 303: undefined, 401: 'page' },
  }),
  pressLogin: route({
    method: 'POST',
    path: '/login',
    scope: 'none',
    summary: 'The button of that page.',
    body: z.object({ code }),
    bodyType: 'application/x-www-form-urlencoded',
    replies: { 303: undefined, 401: 'page' },
  }),
  newLoginLink: route({
    method: 'POST',
    path: '/login/code',
    scope: 'admin',
    summary: 'Makes a link that lets one browser in, once.',
    replies: { 201: z.object({ url: z.string() }) },
  }),
  getHealth: route({
    method: 'GET',
    path: '/healthz',
    scope: 'none',
    summary: 'Says that the server runs, and nothing else.',
    replies: { 200: z.object({ status: z.literal('ok') }) },
  }),
  getMetrics: route({
    method: 'GET',
    path: '/metrics',
    scope: 'read',
    summary: 'Numbers for Prometheus.',
    replies: { 200: 'text' },
  }),
  getOpenApi: route({
    method: 'GET',
    path: '/api/chat/openapi.json',
    scope: 'read',
    summary: 'This document.',
    replies: { 200: z.looseObject({ openapi: z.string() }) },
  }),
  getDocs: route({
    method: 'GET',
    path: '/api/chat/docs',
    scope: 'read',
    summary: 'This document as a page to read.',
    replies: { 200: 'page' },
  }),
  connect: route({
    method: 'GET',
    path: '/api/chat/ws',
    scope: 'read',
    summary: 'A WebSocket over which any number of sessions can be followed.',
    isSocket: true,
    replies: { 101: undefined },
  }),
}
