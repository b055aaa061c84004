// The columns of an index, parsed by the browser. The app takes the lists of numbers from them before it reads the rest as
// text (crates/cache-index/src/index/json/parsed.rs).

cache.parseColumns = (text) => {
  const columns = Object(JSON.parse(text));
  const place = (field) => {
    const [name, owner] = field.split(".").reverse();
    return [owner ? (columns[owner] ?? {}) : columns, name];
  };
  const list = ([owner, name]) => (Array.isArray(owner[name]) ? owner[name] : []);
  return {
    lengths: (field) => list(place(field)).map((inner) => inner?.length ?? 0),
    take(field) {
      const found = place(field);
      const numbers = list(found);
      if (numbers.length) found[0][found[1]] = [];
      return Array.isArray(numbers[0]) ? numbers.flat() : numbers;
    },
    rest: () => JSON.stringify(columns),
  };
};
