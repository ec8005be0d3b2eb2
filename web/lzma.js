// Decodes LZMA, as a file of it is (its length is in the header): a third smaller than what browsers decode by themselves.

function unlzma(packed) {
  const [properties] = packed;
  const lc = properties % 9, lp = Math.floor(properties / 9) % 5, pb = Math.floor(properties / 45);
  const out = new Uint8Array(new DataView(packed.buffer, packed.byteOffset).getUint32(5, true));

  // Where each kind of probability begins: 12 states, up to 16 positions, 4 lengths that choose among distances.
  let room = 0;
  const of = (count) => (room += count) - count;
  const lengths = () => ({ choice: of(2), low: of(16 << 3), mid: of(16 << 3), high: of(256) });
  const isMatch = of(12 << 4), isRep = of(12), isRep0 = of(12), isRep1 = of(12), isRep2 = of(12), isLong = of(12 << 4);
  const slots = of(4 << 6), special = of(128), align = of(16), ofMatch = lengths(), ofRep = lengths(), literals = of(0x300 << (lc + lp));
  const odds = new Uint16Array(room).fill(1024);

  // The first byte says nothing.
  let at = 14, range = 0xFFFFFFFF, code = 0;
  const more = () => {
    if (range < 0x1000000) {
      range *= 256;
      code = code * 256 + (packed[at++] ?? 0);
    }
  };
  for (let i = 0; i < 4; i++) code = code * 256 + (packed[at++] ?? 0);
  const bit = (place) => {
    const odd = odds[place], bound = (range >>> 11) * odd;
    const is = code >= bound ? 1 : 0;
    if (is) {
      range -= bound;
      code -= bound;
      odds[place] = odd - (odd >>> 5);
    } else {
      range = bound;
      odds[place] = odd + ((2048 - odd) >>> 5);
    }
    more();
    return is;
  };
  const tree = (place, bits) => {
    let node = 1;
    for (let i = 0; i < bits; i++) node = node << 1 | bit(place + node);
    return node - (1 << bits);
  };
  const treeFromBelow = (place, bits) => {
    let node = 1, value = 0;
    for (let i = 0; i < bits; i++) {
      const is = bit(place + node);
      node = node << 1 | is;
      value |= is << i;
    }
    return value;
  };
  const even = (bits) => {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      range >>>= 1;
      const is = code >= range ? 1 : 0;
      if (is) code -= range;
      value = value << 1 | is;
      more();
    }
    return value;
  };
  const length = ({ choice, low, mid, high }, position) => {
    if (!bit(choice)) return 2 + tree(low + (position << 3), 3);
    return bit(choice + 1) ? 18 + tree(high, 8) : 10 + tree(mid + (position << 3), 3);
  };
  const distance = (len) => {
    const slot = tree(slots + (Math.min(len - 2, 3) << 6), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1, base = (2 | slot & 1) << bits;
    if (slot < 14) return base + treeFromBelow(special + base - slot, bits);
    return base + even(bits - 4) * 16 + treeFromBelow(align, 4);
  };

  let state = 0, [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
  for (let to = 0; to < out.length;) {
    const position = to & (1 << pb) - 1;
    if (!bit(isMatch + (state << 4) + position)) {
      const before = to > 0 ? out[to - 1] : 0;
      const place = literals + 0x300 * (((to & (1 << lp) - 1) << lc) + (before >> (8 - lc)));
      let byte = 1;
      if (state >= 7) {
        for (let match = out[to - rep0 - 1]; byte < 0x100;) {
          const expected = match >> 7 & 1;
          match <<= 1;
          const is = bit(place + (1 + expected << 8) + byte);
          byte = byte << 1 | is;
          if (is !== expected) break;
        }
      }
      while (byte < 0x100) byte = byte << 1 | bit(place + byte);
      out[to++] = byte;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let len;
    if (!bit(isRep + state)) {
      [rep1, rep2, rep3] = [rep0, rep1, rep2];
      len = length(ofMatch, position);
      rep0 = distance(len);
      state = state < 7 ? 7 : 10;
    } else {
      if (!bit(isRep0 + state)) {
        if (!bit(isLong + (state << 4) + position)) {
          out[to] = out[to - rep0 - 1];
          to++;
          state = state < 7 ? 9 : 11;
          continue;
        }
      } else if (!bit(isRep1 + state)) {
        [rep0, rep1] = [rep1, rep0];
      } else if (!bit(isRep2 + state)) {
        [rep0, rep1, rep2] = [rep2, rep0, rep1];
      } else {
        [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
      }
      len = length(ofRep, position);
      state = state < 7 ? 8 : 11;
    }
    if (rep0 >= to) throw new Error("the page is damaged");
    for (const end = Math.min(to + len, out.length); to < end; to++) out[to] = out[to - rep0 - 1];
  }
  return out;
}
