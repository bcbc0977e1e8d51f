/** Returns a function that calls another one after so many milliseconds without a further call. */
export function debounced(milliseconds: number, then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
  };
}
