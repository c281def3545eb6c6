declare module "webvtt-parser" {
  export class WebVTTParser {
    parse(
      input: string,
      mode: "subtitles/captions/descriptions",
    ): { cues: { startTime: number; endTime: number }[]; errors: { message: string; line: number }[] }
  }
}
