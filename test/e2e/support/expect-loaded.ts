import { expect, type Locator } from "@playwright/test"

/** Expects a picture to be loaded. */
export const expectLoaded = (picture: Locator) =>
  expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
