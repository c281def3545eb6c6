/** What was asked for is refused: asked again, it will be refused again. */
export class Refused extends Error {}
