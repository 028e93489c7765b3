import { createMemoryStorage, type SessionStorage } from '@treeline/store'

/** What fails, and for how long. `write`: nothing of it arrives. `sync`: it arrives, and may be gone after a power cut. */
export interface DiskFault {
  readonly call: 'write' | 'sync'
  readonly code: 'ENOSPC' | 'EIO'
  /** Counted from 1 among such calls on logs. */
  readonly nth: number
  /** Text of unfinished answers fails too then. */
  readonly lasts: boolean
}

/** A disk in memory on which one write to a log fails, or all from that one on until it is mended. */
export class FailingDisk {
  readonly storage: SessionStorage
  /** Calls on logs so far, of the kind that is to fail. */
  count = 0
  fault: DiskFault | undefined

  constructor() {
    const memory = createMemoryStorage()
    this.storage = {
      ...memory,
      openWriter: (path, options) => {
        const writer = memory.openWriter(path, options)
        const isLog = path.endsWith('.jsonl')
        const { writeSync, datasync, datasyncSync, writeLine } = writer
        writer.writeSync = (bytes) => {
          this.strike('write', isLog)
          return writeSync.call(writer, bytes)
        }
        writer.datasyncSync = () => {
          this.strike('sync', isLog)
          datasyncSync.call(writer)
        }
        writer.datasync = async () => {
          this.strike('sync', isLog)
          await datasync.call(writer)
        }
        writer.writeLine = async (line) => {
          this.strike('write', isLog)
          await writeLine.call(writer, line)
        }
        return writer
      },
    }
  }

  arm(fault: DiskFault): void {
    this.fault = fault
    this.count = 0
  }

  heal(): void {
    this.fault = undefined
  }

  private strike(call: DiskFault['call'], isLog: boolean): void {
    const { fault } = this
    if (fault === undefined || fault.call !== call) return
    if (isLog) this.count++
    const isDue = fault.lasts ? this.count >= fault.nth : isLog && this.count === fault.nth
    if (isDue) throw Object.assign(new Error(`${fault.code}: told to`), { code: fault.code })
  }
}
