import { setImmediate as nextTurn } from 'node:timers/promises'
import { useApp, useInput, useStdin } from 'ink'
import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Ctrl+Z stops the chat and `fg` goes on with it. The shell gets its terminal back as it was; when it gives it to us again
 * it is in the shell's modes, whoever stopped us, so they are set anew and the frame is drawn anew.
 */
export function useStopping(): void {
  const { suspendTerminal } = useApp()
  const { stdin } = useStdin()
  const isOurs = () => (stdin as NodeJS.ReadStream).isRaw
  const isStopping = useRef(false)

  const stop = useEffectEvent(async (): Promise<void> => {
    // An editor has the terminal: it stops with us, and is the one to set it anew.
    if (!isOurs()) return isStopping.current ? undefined : stopJob()
    isStopping.current = true
    await suspendTerminal(async () => {
      await nextTurn()
      stopJob()
      isStopping.current = false
    })
  })
  const goOn = useEffectEvent(async (): Promise<void> => {
    if (isOurs()) await suspendTerminal(() => nextTurn())
  })

  useInput((input, key) => {
    if (key.ctrl && input === 'z' && key.eventType !== 'release') void stop()
  })
  useEffect(() => {
    const onStop = () => void stop()
    const onGoOn = () => void goOn()
    process.on('SIGTSTP', onStop)
    process.on('SIGCONT', onGoOn)
    return () => {
      process.off('SIGTSTP', onStop)
      process.off('SIGCONT', onGoOn)
    }
  }, [])
}

/** All of what the shell started, as the terminal would: `npm start` is two processes. Goes on where it was stopped. */
function stopJob(): void {
  const listeners = process.listeners('SIGTSTP')
  process.removeAllListeners('SIGTSTP')
  process.kill(0, 'SIGTSTP')
  for (const listener of listeners) process.on('SIGTSTP', listener)
}
