/** The elements that can take the focus in place of one within them. */
const PLACES = '[role=dialog], fieldset, ul[aria-label], section, main';
/** Components that move the focus themselves have done so by then. */
const DELAY_MS = 50;

/**
 * Keeps the focus where the user is. If the focused element is removed, the closest list, panel or dialog
 * around it gets the focus: not a neighboring button, which a second press of the key would then activate. If
 * it is only disabled while its request runs, it gets the focus back afterwards. A page that replaces all
 * others, as after signing in, starts at its top. Returns a function that stops this.
 */
export function keepFocus(): () => void {
  let focused: HTMLElement | undefined;
  let places: HTMLElement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    focused = target;
    places = placesAround(target);
  };
  const onBlur = ({ target, relatedTarget }: FocusEvent): void => {
    // An element that is about to be removed or disabled is so after the current task.
    if (relatedTarget === null) queueMicrotask(() => forget(target));
  };
  /** The user has left an element that is still there, such as by a click beside it. */
  const forget = (element: EventTarget | null): void => {
    const isElsewhere = document.activeElement === document.body;
    if (isElsewhere && element === focused && focused?.isConnected && !isDisabled(focused))
      focused = undefined;
  };
  const restore = (): void => {
    timer = undefined;
    const { activeElement } = document;
    // A disabled element can keep the focus until the browser renders.
    if (focused === undefined || (activeElement !== document.body && activeElement !== focused)) return;
    if (focused.isConnected && !isDisabled(focused)) {
      focused.focus({ preventScroll: true });
    } else if (!focused.isConnected || focused.dataset.loading === undefined) {
      const place = places.find(({ isConnected }) => isConnected);
      if (place !== undefined) focusPlace(place);
    }
  };
  const observer = new MutationObserver(() => {
    timer ??= setTimeout(restore, DELAY_MS);
  });

  document.addEventListener('focusin', onFocus);
  document.addEventListener('focusout', onBlur);
  const attributeFilter = ['disabled', 'data-loading'];
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter });
  return () => {
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('focusout', onBlur);
    observer.disconnect();
    clearTimeout(timer);
  };
}

/** Returns the elements around another that can take its place, the closest first. */
function placesAround(element: HTMLElement): HTMLElement[] {
  const places: HTMLElement[] = [];
  let place = element.parentElement?.closest<HTMLElement>(PLACES);
  while (place) {
    places.push(place);
    place = place.parentElement?.closest<HTMLElement>(PLACES);
  }
  // A dialog is not within the page that it belongs to.
  const main = document.getElementById('main');
  if (main !== null) places.push(main);
  return places;
}

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled');
}

/** Focuses an element that cannot be reached with the Tab key. */
function focusPlace(place: HTMLElement): void {
  if (!place.hasAttribute('tabindex')) {
    place.tabIndex = -1;
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  }
  place.focus({ preventScroll: true });
}
