import { number } from "../messages/messages.ts"

const SECONDS_PER_MINUTE = 60

/** Formats seconds; from one minute on, full minutes. */
export const formatDuration = (seconds: number) =>
  seconds < SECONDS_PER_MINUTE
    ? number(seconds, { style: "unit", unit: "second", unitDisplay: "long" })
    : number(Math.floor(seconds / SECONDS_PER_MINUTE), { style: "unit", unit: "minute", unitDisplay: "long" })
