async function loadLibrary() {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((kind) => `VipsForeignLoad${kind}Buffer`),
  });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

let library: ReturnType<typeof loadLibrary> | undefined;

/**
 * The library that redraws pictures, loaded when the first one arrives. It also reads SVG, PDF and more; pictures from outside may reach
 * only these five decoders. The whole process shares one list of them, so nothing else may change it.
 */
export function loadPictureDecoders(): ReturnType<typeof loadLibrary> {
  library ??= loadLibrary();
  return library;
}
